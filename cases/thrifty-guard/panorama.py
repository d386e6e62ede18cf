"""Puts photographs together to a panorama, and tells the guard of the house that it is a heavy program."""
import os
import time


def seam(left, right):
    """Where two pictures fit best."""
    return min(range(60), key=lambda shift: sum(abs(a - b) for a, b in zip(left[shift:shift + 40], right)))


def join_strips(number):
    left = [(x * 31 + number) % 251 for x in range(100)]
    right = [(x * 31 + number * 7) % 251 for x in range(40)]
    return seam(left, right)


with open("heavy.part", "w") as file:
    file.write(str(os.getpid()))
os.rename("heavy.part", "heavy")
start = last = time.perf_counter()
gaps, strips = 0.0, 0
while last - start < 2:
    join_strips(strips)
    strips += 1
    now = time.perf_counter()
    if now - last > 0.02:
        gaps += now - last
    last = now
os.remove("heavy")
with open("truth", "w") as truth:
    truth.write(f"share {gaps / (last - start):.3f}\nstrips {strips}\n")
