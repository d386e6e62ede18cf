"""Holds a write transaction until 1.7 s after somebody else wants the database."""
import os
import sqlite3
import time

orders = sqlite3.connect("orders.db", isolation_level=None)
orders.execute("create table orders (number integer, text text)")
orders.execute("begin exclusive")
orders.execute("insert into orders values (0, 'imported')")
open("ready", "w").close()
while not os.path.exists("asked"):
    time.sleep(0.005)
time.sleep(1.7)
orders.execute("commit")
time.sleep(60)
