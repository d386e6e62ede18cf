"""The photos that are there already."""
import os

os.mkdir("photos")
for n in range(15_000):
    open(f"photos/photo-{n}.jpg", "w").close()
