"""Makes a table of 900,000 sales."""
import sqlite3

db = sqlite3.connect("sales.db")
db.execute("create table sales (id integer primary key, branch integer, article integer, day integer, cents integer)")
db.executemany("insert into sales values (?, ?, ?, ?, ?)",
               ((n, n * 7919 % 120, n * 104729 % 5000, n * 31 % 365, n * 65537 % 10007) for n in range(900_000)))
db.commit()
with open("sales.db", "rb") as file:
    file.read()
