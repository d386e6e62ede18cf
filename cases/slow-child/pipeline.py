"""Converts pictures by a helper program, one after the other, and waits for each."""
import subprocess
import sys
import time

start, converted = time.monotonic(), 0


def convert(picture):
    subprocess.run(["./thumbnailer", str(picture)], check=True)


while time.monotonic() - start < 2:
    convert(converted)
    converted += 1
with open("truth", "w") as truth:
    truth.write(f"children {converted}\n")
