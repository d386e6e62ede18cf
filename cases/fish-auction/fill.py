"""Writes the database of a fish auction: the crates of a season, with an index by buyer."""
import sqlite3

FISH = ["cod", "herring", "plaice", "sole", "haddock", "saithe", "mackerel"]

auction = sqlite3.connect("auction.db")
auction.execute("PRAGMA synchronous = OFF")
auction.execute("PRAGMA cache_size = -100000")
auction.execute("CREATE TABLE crates (id INTEGER PRIMARY KEY, buyer INTEGER, fish TEXT, grams INTEGER, cents INTEGER, note TEXT)")
auction.execute("CREATE INDEX crates_by_buyer ON crates (buyer)")
with auction:
    auction.executemany("INSERT INTO crates VALUES (?, ?, ?, ?, ?, ?)",
                        ((n, n * 7919 % 400, FISH[n % 7], 4000 + n * 37 % 9000, 1200 + n * 131 % 5000, f"crate {n}, on ice, " + "from the second hold, " * 5)
                         for n in range(100000)))
auction.close()
