"""Serves the pages of a travel diary; the version of the style sheet and its pictures goes into each page."""
import hashlib
import os
import time

with open("theme.css", "wb") as out:
    for part in range(160):
        out.write(os.urandom(64) * 800)

hashing = 0.0


def theme_version():
    global hashing
    before = time.perf_counter()
    with open("theme.css", "rb") as theme:
        version = hashlib.md5(theme.read()).hexdigest()
    hashing += time.perf_counter() - before
    return version


def render_page(day):
    parts = [f"<link href='theme.css?{theme_version()}'>"]
    parts += [f"<p>Day {day}, hour {hour}: we saw {hour * day % 17} birds.</p>" for hour in range(24)]
    return "".join(parts)


start = time.perf_counter()
size = pages = 0
while time.perf_counter() < start + 2.0:
    size += len(render_page(pages))
    pages += 1
wall = time.perf_counter() - start
with open("truth", "w") as truth:
    truth.write(f"hashing {hashing / wall:.3f}\npages {pages}\nsize {size}\n")
