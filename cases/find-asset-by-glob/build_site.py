"""Builds pages; a page names its pictures without their folder."""
import pathlib
import time

ASSETS = pathlib.Path("assets")
searching = 0.0


def find_asset(name):
    global searching
    before = time.monotonic()
    found = sorted(ASSETS.rglob(name))
    searching += time.monotonic() - before
    return found[0] if found else None


def render_page(number):
    page = [f"<h1>Page {number}</h1>"]
    for n in range(4):
        name = f"picture-{(number + n) % 10}{number % 15:02}{n * 5 % 20:02}.jpg"
        page.append(f'<img src="/{find_asset(name)}">')
    return "\n".join(page)


start, pages = time.monotonic(), 0
pathlib.Path("site").mkdir(exist_ok=True)
while time.monotonic() - start < 2:
    pathlib.Path(f"site/page-{pages}.html").write_text(render_page(pages))
    pages += 1
with open("truth", "w") as truth:
    truth.write(f"searching {searching / (time.monotonic() - start):.3f}\npages {pages}\n")
