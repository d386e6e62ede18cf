"""Engraves one sheet of music: reads notes from its input, and prints their positions."""
import math
import sys
import time

notes = [int(word) for word in sys.stdin.read().split()]
until = time.process_time() + 0.11
total = 0.0
while time.process_time() < until:
    for note in notes * 20:
        total += math.sin(note * 0.7) * math.cos(total)
print(round(total, 3))
