"""Makes 10,000 small files and lets the cache forget them."""
import os

os.mkdir("thumbs")
for number in range(10000):
    with open(f"thumbs/{number:04}.jpg", "wb") as picture:
        picture.write(os.urandom(24_000))
os.sync()
for number in range(10000):
    with open(f"thumbs/{number:04}.jpg", "rb") as picture:
        os.posix_fadvise(picture.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
