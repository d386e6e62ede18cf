"""Fills the boxes with scanned slides, and leaves none of them in memory."""
import os

slide = os.urandom(24 * 1024)
names = []
for box in range(20):
    os.mkdir(f"box-{box:02}")
    for n in range(170):
        name = f"box-{box:02}/slide-{n:03}.raw"
        with open(name, "wb") as f:
            f.write(b"SLIDE" + bytes([box, n]) + slide)
        names.append(name)
os.sync()
for name in names:
    f = os.open(name, os.O_RDONLY)
    os.posix_fadvise(f, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(f)
