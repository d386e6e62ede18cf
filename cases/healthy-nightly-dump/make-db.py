"""The database of a small museum: objects and where they have been."""
import random
import sqlite3

rng = random.Random(6)
db = sqlite3.connect("museum.db")
db.execute("create table object (id integer primary key, name text, room text, year int)")
db.executemany("insert into object (name, room, year) values (?, ?, ?)",
               ((f"object {n} {rng.getrandbits(64):x}", f"room {rng.randrange(40)}", 1500 + rng.randrange(500)) for n in range(340_000)))
db.commit()
db.close()
