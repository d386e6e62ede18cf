"""Puts a collection of stamps on the shelf (dbm.dumb works on any machine)."""
import dbm.dumb
import time

storing = 0.0


def add_stamp(shelf, number):
    global storing
    text = f"{1850 + number % 150};{'red blue green black'.split()[number % 4]};{number * 7 % 90}"
    before = time.perf_counter()
    shelf[f"stamp-{number}"] = text
    storing += time.perf_counter() - before


start, stamps = time.perf_counter(), 0
with dbm.dumb.open("stamps", "n") as shelf:
    while time.perf_counter() - start < 2:
        add_stamp(shelf, stamps)
        stamps += 1
wall = time.perf_counter() - start
with open("truth", "w") as truth:
    truth.write(f"storing {storing / wall:.3f}\nstamps {stamps}\n")
