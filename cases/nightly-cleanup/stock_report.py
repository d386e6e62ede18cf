"""Reads the whole stock in a transaction that keeps all others from writing, for 2 s."""
import os
import sqlite3
import time

with open("/proc/self/comm", "w") as comm:
    comm.write("stock_report")
database = sqlite3.connect("shop.db", isolation_level=None)
open("ready", "w").close()
while not os.path.exists("cleanup-started"):
    time.sleep(0.005)
database.execute("begin immediate")
open("report-begun", "w").close()
end = time.monotonic() + 2.0
pages = 0
while time.monotonic() < end:
    pages += len(database.execute("select * from stock where article % 50 = ?", (pages % 50,)).fetchall())
    time.sleep(0.05)
database.execute("commit")
time.sleep(60)
