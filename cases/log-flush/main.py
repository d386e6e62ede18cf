"""Writes a debug line for every number and flushes each line."""
import time

log = open("debug.log", "w")
lines = 0


def debug(text):
    global lines
    lines += 1
    print(text, file=log, flush=True)


start, total = time.monotonic(), 0
while time.monotonic() - start < 2:
    debug(f"adding {lines}")
    total += lines
with open("truth", "w") as truth:
    truth.write(f"lines {lines}\n")
