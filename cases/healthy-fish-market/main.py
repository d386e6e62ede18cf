"""Books the catches of a fish market into a database: a transaction for each ship's catch, and a report at the end."""
import sqlite3
import time

FISH = ["cod", "herring", "plaice", "sole", "haddock", "saithe", "mackerel"]


def open_market():
    market = sqlite3.connect("market.db")
    market.execute("PRAGMA journal_mode = WAL")
    market.execute("PRAGMA synchronous = NORMAL")
    market.execute("PRAGMA cache_size = -100000")
    market.execute("CREATE TABLE crates (id INTEGER PRIMARY KEY, ship INTEGER, fish TEXT, grams INTEGER, cents INTEGER)")
    market.execute("CREATE INDEX crates_by_fish ON crates (fish, cents, grams)")
    return market


def crates_of(ship):
    for n in range(20000):
        yield ship, FISH[(ship + n) % 7], 4000 + n * 37 % 9000, 1200 + n * 7919 % 5000


def land_catch(market, ship):
    with market:
        market.executemany("INSERT INTO crates (ship, fish, grams, cents) VALUES (?, ?, ?, ?)", crates_of(ship))


def report(market):
    return market.execute("SELECT fish, count(*), sum(grams), max(cents) FROM crates GROUP BY fish ORDER BY fish").fetchall()


start = time.perf_counter()
market = open_market()
ships = 0
while time.perf_counter() - start < 1.9:
    land_catch(market, ships)
    ships += 1
landed = time.perf_counter()
lines = report(market)
market.close()
wall = time.perf_counter() - start
with open("truth", "w") as f:
    f.write(f"ships {ships}\nfish {len(lines)}\nlanding {(landed - start) / wall:.3f}\nseconds {wall:.2f}\n")
