"""Imports the statements of a month: each bank has its own separator."""
import csv
import io
import time

sniffing = 0.0


def statement(bank):
    mark = ";,|\t"[bank % 4]
    rows = [mark.join(("2024-03-%02d" % (n % 28 + 1), f"Invoice{n * 7919 % 90000}", f"DE{n * 31 % 99999:05d}", str(n * 13 % 5000)))
            for n in range(220)]
    return "\r\n".join(rows) + "\r\n"


def dialect_of(text):
    global sniffing
    before = time.perf_counter()
    dialect = csv.Sniffer().sniff(text)
    sniffing += time.perf_counter() - before
    return dialect


def total_of(text):
    return sum(int(row[3]) for row in csv.reader(io.StringIO(text), dialect_of(text)))


start = time.perf_counter()
banks, total = 0, 0
while time.perf_counter() - start < 2:
    total += total_of(statement(banks))
    banks += 1
wall = time.perf_counter() - start
with open("truth", "w") as truth:
    truth.write(f"share {sniffing / wall:.3f}\nstatements {banks}\ntotal {total}\n")
