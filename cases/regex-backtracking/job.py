"""Checks log lines with a pattern that tries every way to split a run of letters."""
import re
import time

PATTERN = re.compile(r"^(\w+\s?)*=$")


def looks_like_setting(line):
    return PATTERN.match(line) is not None


start, lines = time.monotonic(), 0
while time.monotonic() - start < 2:
    looks_like_setting("a" * 15 + str(lines % 10) + "!")
    lines += 1
with open("truth", "w") as truth:
    truth.write(f"lines {lines}\nms_per_line {2000 / lines:.2f}\n")
