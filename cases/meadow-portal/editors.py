"""The pages of the nature reserve, as its editors left them."""
import os

for n in range(2400):
    os.makedirs(f"pages/area-{n // 100}", exist_ok=True)
    with open(f"pages/area-{n // 100}/flower-{n}.rhtml", "w") as page:
        page.write(f"<h1>NAME</h1><p>Flowers from May, in place {n}.</p>\n")
