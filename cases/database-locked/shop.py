"""Stores one order."""
import sqlite3
import time

orders = sqlite3.connect("orders.db", isolation_level=None, timeout=20)


def add_order(number):
    orders.execute("insert into orders values (?, 'two books')", [number])


open("asked", "w").close()
before = time.monotonic()
add_order(1)
with open("truth", "w") as truth:
    truth.write(f"adding {time.monotonic() - before:.3f}\n")
