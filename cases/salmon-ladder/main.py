"""Counts the salmon that pass a fish ladder: each sensor message becomes one row of the river's database."""
import sqlite3
import time

waited = 0.0


def sensor_messages():
    """One message for each fish that swims past the camera."""
    number = 0
    while True:
        number += 1
        yield number % 4, 40 + number * 7 % 55


def store_fish(database, gate, length):
    global waited
    before = time.monotonic()
    database.execute("begin immediate")
    waited += time.monotonic() - before
    database.execute("insert into fish (gate, length, seen) values (?, ?, ?)", (gate, length, time.time()))
    database.execute("update gates set fish = fish + 1 where gate = ?", (gate,))
    database.execute("commit")


def main():
    database = sqlite3.connect("river.db", timeout=10, isolation_level=None)
    database.execute("pragma synchronous = off")
    start = time.monotonic()
    fish = 0
    for gate, length in sensor_messages():
        if time.monotonic() - start > 2:
            break
        store_fish(database, gate, length)
        fish += 1
    wall = time.monotonic() - start
    database.close()
    with open("truth", "w") as f:
        f.write(f"share {waited / wall:.3f}\nfish {fish}\n")


main()
