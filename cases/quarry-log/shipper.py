"""Reads the log of a quarry from its standard input and ships it, at the pace of a radio link."""
import sys
import time

lines = 0
for line in sys.stdin:
    lines += 1
    if lines % 8 == 0:
        time.sleep(0.012)
