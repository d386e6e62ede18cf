"""Computes when the water is high in each harbour, from the waves of many constituents."""
import math
import sys


def high_water(harbour):
    best, minute = -9.0, 0
    for at in range(1440):
        level = 0.0
        for wave in range(1, 100):
            level += math.cos(at / (60 + wave * 7) + harbour * wave) / wave
        if level > best:
            best, minute = level, at
    return minute


for harbour in range(int(sys.argv[1])):
    print(f"harbour {harbour};{high_water(harbour)}", flush=True)
