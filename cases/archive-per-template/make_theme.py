"""Makes a theme with 3,000 templates and pictures."""
import zipfile

with zipfile.ZipFile("theme.zip", "w", zipfile.ZIP_DEFLATED) as theme:
    for n in range(3000):
        theme.writestr(f"templates/part-{n:04}.txt", f"Dear {{name}},\n\nthis is part {n}.\n\nYours\n")
