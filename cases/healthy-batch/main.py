"""Stores 400,000 orders in SQLite in one transaction: one durable write for all."""
import sqlite3

database = sqlite3.connect("orders.db", isolation_level=None)
database.execute("create table orders (number integer, text text)")
database.execute("begin")
database.executemany("insert into orders values (?, ?)", ((n, f"order {n}") for n in range(400_000)))
database.execute("commit")
