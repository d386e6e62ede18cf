"""The till adds the sales of each quarter of a second in one transaction."""
import sqlite3
import time

with open("/proc/self/comm", "w") as comm:
    comm.write("till")
db = sqlite3.connect("till.db", isolation_level=None)
db.execute("PRAGMA synchronous = NORMAL")
open("ready", "w").close()
number = 1000000
while True:
    time.sleep(0.25)
    db.execute("BEGIN IMMEDIATE")
    for _ in range(20):
        number += 1
        db.execute("INSERT INTO sale VALUES (?, ?, ?, ?, ?)", (number, number % 17, 364, f"article-{number % 900}", number % 5000))
    db.execute("COMMIT")
