"""Makes a database of boats and their results."""
import sqlite3

with sqlite3.connect("regatta.db") as db:
    db.execute("CREATE TABLE result (boat TEXT, class INTEGER, seconds REAL)")
    db.executemany(
        "INSERT INTO result VALUES (?, ?, ?)",
        ((f"boat {n}", n % 3, 3000 + n * 7919 % 5003 / 3) for n in range(5500)),
    )
