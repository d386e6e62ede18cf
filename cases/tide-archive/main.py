# Looks up single readings in an archive that is not in memory. After a second, a backup begins.
import os
import random
import time

BLOCKS = 256 << 8
archive = os.open("tides.dat", os.O_RDONLY)
os.posix_fadvise(archive, 0, 0, os.POSIX_FADV_DONTNEED)
os.posix_fadvise(archive, 0, 0, os.POSIX_FADV_RANDOM)
days = random.Random(3)

def reading_at(block):
    return os.pread(archive, 64, block * 4096)

def look_up_for(seconds):
    took, start = [], time.monotonic()
    while time.monotonic() - start < seconds:
        before = time.monotonic()
        reading_at(days.randrange(BLOCKS))
        took.append(time.monotonic() - before)
    return took

alone = look_up_for(0.8)
open("go", "w").close()
beside = look_up_for(2)
os.remove("go")
typical = lambda took: 1e6 * sorted(took)[len(took) // 2]
with open("truth", "w") as truth:
    truth.write(f"us_alone {typical(alone):.0f}\nus_beside_the_backup {typical(beside):.0f}\n")
    truth.write(f"reads {len(alone) + len(beside)}\n")
