"""Makes a table of 150,000 tickets from former years."""
import sqlite3

db = sqlite3.connect("tickets.db")
db.execute("create table tickets (number integer primary key, open integer, text text)")
db.executemany("insert into tickets values (?, ?, ?)", ((n, n % 50 == 0, f"printer {n % 97} is empty") for n in range(150_000)))
db.commit()
