"""Prices the parcels of a mail-order shop. The table of each zone is kept in memory once it has been read."""
import json
import time
from functools import lru_cache

reading = 0.0


@lru_cache(maxsize=128)
def load_tariff(zone):
    global reading
    before = time.perf_counter()
    with open(f"tariffs/zone-{zone:03}.json") as f:
        steps = json.load(f)["steps"]
    reading += time.perf_counter() - before
    return steps


def price_parcel(zone, grams):
    for step in load_tariff(zone):
        if grams <= step["grams"]:
            return step["cents"]
    raise ValueError(f"{grams} g is too heavy")


def price_truck(number):
    """A truck goes through all zones in the order of its route."""
    return sum(price_parcel(zone, (number * 37 + zone * 11) % 900 + 50) for zone in range(150))


start = time.perf_counter()
trucks = cents = 0
while time.perf_counter() - start < 2.0:
    cents += price_truck(trucks)
    trucks += 1
wall = time.perf_counter() - start
cache = load_tariff.cache_info()
with open("truth", "w") as f:
    f.write(f"reading {reading / wall:.3f}\ntrucks {trucks}\nhits {cache.hits}\nmisses {cache.misses}\n")
