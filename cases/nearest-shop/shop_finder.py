"""Finds the nearest shop for each customer of a mailing."""
import math
import random
import sqlite3
import time

calls = 0


def distance(north, east, other_north, other_east):
    global calls
    calls += 1
    middle = math.radians((north + other_north) / 2)
    return math.hypot(north - other_north, (east - other_east) * math.cos(middle)) * 111.2


def open_shops():
    shops = sqlite3.connect(":memory:")
    shops.create_function("distance", 4, distance, deterministic=True)
    shops.execute("CREATE TABLE shop (name TEXT, north REAL, east REAL)")
    chance = random.Random(7)
    rows = ((f"Shop {number}", chance.uniform(47, 55), chance.uniform(6, 15)) for number in range(12_000))
    shops.executemany("INSERT INTO shop VALUES (?, ?, ?)", rows)
    shops.commit()
    return shops


def nearest_shop(shops, north, east):
    query = "SELECT name FROM shop ORDER BY distance(north, east, ?, ?) LIMIT 1"
    return shops.execute(query, (north, east)).fetchone()[0]


def main():
    shops = open_shops()
    chance = random.Random(3)
    customers, searching = 0, 0.0
    found = []
    start = time.perf_counter()
    while time.perf_counter() - start < 2:
        before = time.perf_counter()
        found.append(nearest_shop(shops, chance.uniform(47, 55), chance.uniform(6, 15)))
        searching += time.perf_counter() - before
        customers += 1
    wall = time.perf_counter() - start
    with open("truth", "w") as truth:
        truth.write(f"searching {searching / wall:.3f}\ncustomers {customers}\ncalls_per_customer {calls / customers:.0f}\n")


main()
