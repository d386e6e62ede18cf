# Computes when high water is for some years.
import math
import time

def high_waters(year):
    hours = (n * 12.4206 for n in range(706))
    return sum(math.cos(hour / 24 * math.tau) * math.sin(year + hour) for hour in hours)

def bytes_read():
    with open("/proc/self/io") as io:
        return int(io.read().split("\nread_bytes: ")[1].split()[0])

before, start, year = bytes_read(), time.monotonic(), 0
while time.monotonic() - start < 2:
    high_waters(year)
    year += 1
with open("truth", "w") as truth:
    truth.write(f"years {year}\nread_bytes {bytes_read() - before}\n")
