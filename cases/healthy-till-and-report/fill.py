"""Sales of a year in a database in WAL mode."""
import sqlite3

db = sqlite3.connect("till.db")
db.execute("PRAGMA journal_mode = WAL")
db.execute("CREATE TABLE sale (id INTEGER PRIMARY KEY, shop INTEGER, day INTEGER, article TEXT, cents INTEGER)")
db.executemany("INSERT INTO sale VALUES (?, ?, ?, ?, ?)",
               ((n, n % 17, n * 7 % 365, f"article-{n * 31 % 900}", n * 7919 % 5000) for n in range(120000)))
db.commit()
