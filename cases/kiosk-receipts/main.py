"""Keeps the receipts of a kiosk in a database. The till has a battery, so the database need not sync."""
import sqlite3
import time

GOODS = ["paper", "comic", "gum", "stamp", "water", "card"]


def open_till(path):
    till = sqlite3.connect(path)
    till.execute("PRAGMA synchronous = OFF")
    till.execute("CREATE TABLE receipts (number INTEGER PRIMARY KEY, good TEXT, cents INTEGER, at REAL)")
    return till


def record_receipt(till, number):
    with till:
        till.execute("INSERT INTO receipts VALUES (?, ?, ?, ?)",
                     (number, GOODS[number % 6], 50 + number * 7 % 900, time.time()))


def take_money(till, seconds):
    start = time.perf_counter()
    number = 0
    while time.perf_counter() - start < seconds:
        number += 1
        record_receipt(till, number)
    return number


till = open_till("till.db")
receipts = take_money(till, 2.0)
total = till.execute("SELECT sum(cents) FROM receipts").fetchone()[0]
till.close()
with open("truth", "w") as f:
    f.write(f"receipts {receipts}\ncents {total}\n")
