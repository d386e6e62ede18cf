"""Writes the bills of a fish auction: adds up for each buyer what he has bought."""
import sqlite3
import time

asking = 0.0


def bill_of(auction, buyer):
    global asking
    before = time.perf_counter()
    row = auction.execute("SELECT count(*), sum(grams), sum(cents) FROM crates WHERE buyer = ?", (buyer,)).fetchone()
    asking += time.perf_counter() - before
    return row


def print_bill(buyer, row):
    crates, grams, cents = row
    return f"buyer {buyer}: {crates} crates, {grams / 1000:.1f} kg, {cents / 100:.2f}\n"


start = time.perf_counter()
auction = sqlite3.connect("auction.db")
bills = 0
with open("bills.txt", "w") as out:
    while time.perf_counter() - start < 2.0:
        buyer = bills % 400
        out.write(print_bill(buyer, bill_of(auction, buyer)))
        bills += 1
auction.close()
wall = time.perf_counter() - start
with open("truth", "w") as f:
    f.write(f"asking {asking / wall:.3f}\nbills {bills}\n")
