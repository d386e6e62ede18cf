"""Saves a drawing now and then, as the machines of a workshop do."""
import os
import sys
import time


def make():
    for folder in range(40):
        os.makedirs(f"drawings/bench-{folder:02}", exist_ok=True)
        for n in range(60):
            with open(f"drawings/bench-{folder:02}/part-{n:03}.dxf", "w") as f:
                f.write("0\nSECTION\n" * (n % 7 + 1))


def save():
    open("ready", "w").close()
    n = 0
    while True:
        with open(f"drawings/bench-{n % 40:02}/part-{n % 60:03}.dxf", "w") as f:
            f.write("0\nSECTION\n2\nENTITIES\n" * (n % 5 + 1))
        n += 1
        time.sleep(0.0025)


make() if sys.argv[1] == "make" else save()
