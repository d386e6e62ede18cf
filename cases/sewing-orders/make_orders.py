"""Writes the database of a sewing workshop."""
import sqlite3

db = sqlite3.connect("workshop.db")
db.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY, customer TEXT, due TEXT)")
db.execute("CREATE TABLE items (id INTEGER PRIMARY KEY, order_id INTEGER, cloth TEXT, metres REAL)")
db.executemany("INSERT INTO orders VALUES (?, ?, ?)",
               [(n, f"customer {n % 700}", f"2024-{n % 12 + 1:02}-{n % 28 + 1:02}") for n in range(6000)])
db.executemany("INSERT INTO items (order_id, cloth, metres) VALUES (?, ?, ?)",
               [(n * 7919 % 6000, "silk" if n % 3 else "linen", 0.5 + n % 9) for n in range(30000)])
db.commit()
