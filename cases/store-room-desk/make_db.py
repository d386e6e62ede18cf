import random
import sqlite3

rng = random.Random(4)
db = sqlite3.connect("stock.db")
db.execute("CREATE TABLE part (id INTEGER PRIMARY KEY, name TEXT, shelf TEXT, pieces INTEGER)")
db.executemany("INSERT INTO part (name, shelf, pieces) VALUES (?, ?, ?)",
               ((f"part {rng.randrange(10**9)}", f"shelf {i % 400}", rng.randrange(90)) for i in range(60_000)))
db.execute("CREATE INDEX part_name ON part (name)")
db.commit()
