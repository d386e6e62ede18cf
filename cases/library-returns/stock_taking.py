"""Counts the books of a library. The librarian has gone to lunch in the middle of it."""
import sqlite3
import time

with open("/proc/self/comm", "w") as comm:
    comm.write("stock_taking")
library = sqlite3.connect("library.db", isolation_level=None)
library.execute("create table book(number integer primary key, lent integer)")
library.executemany("insert into book values(?, 1)", ((number,) for number in range(500)))
library.execute("begin exclusive")
library.execute("update book set lent = lent where number < 250")
open("ready", "w").close()
time.sleep(600)
