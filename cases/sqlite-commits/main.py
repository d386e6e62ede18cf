"""Stores orders in SQLite, each in a transaction of its own."""
import sqlite3
import time

database = sqlite3.connect("orders.db", isolation_level=None)
database.execute("create table orders (number integer, text text)")
database.execute("pragma synchronous = full")


def insert_order(number):
    database.execute("insert into orders values (?, 'two books')", [number])


start, orders, inserting = time.monotonic(), 0, 0.0
while time.monotonic() - start < 2:
    before = time.monotonic()
    insert_order(orders)
    inserting += time.monotonic() - before
    orders += 1
with open("truth", "w") as truth:
    truth.write(f"orders {orders}\ninserting {inserting:.3f}\n")
