"""Books the receipts of a till, so that the reports of the office can read at the same time (WAL)."""
import sqlite3
import time

till = sqlite3.connect("till.db", isolation_level=None)
till.execute("pragma journal_mode = wal")
till.execute("pragma synchronous = full")
till.execute("pragma wal_autocheckpoint = 1")
till.execute("create table receipt(number integer primary key, sum integer, cashier text)")
committing = 0.0


def book_receipt(number, amount):
    global committing
    till.execute("begin immediate")
    till.execute("insert into receipt values(?, ?, ?)", (number, amount, f"cashier {number % 6}"))
    before = time.perf_counter()
    till.execute("commit")
    committing += time.perf_counter() - before


start, receipts = time.perf_counter(), 0
while time.perf_counter() - start < 2:
    book_receipt(receipts, receipts * 7919 % 12000)
    receipts += 1
wall = time.perf_counter() - start
with open("truth", "w") as truth:
    truth.write(f"share {committing / wall:.3f}\nreceipts {receipts}\n")
till.close()
