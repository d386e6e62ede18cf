"""Writes the atlas of meteor tracks, and leaves none of it in memory."""
import os
import struct

plate = b"".join(struct.pack("<IIff", n, n * 7 % 360, n * 0.5, n % 90) for n in range(65536))
with open("meteors.atlas", "wb") as f:
    for _ in range(72):
        f.write(plate)
    f.flush()
    os.fsync(f.fileno())
    os.posix_fadvise(f.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
