"""Takes over a stock count, and reports what each shelf is worth."""
import csv
import sqlite3
import time
from decimal import Decimal


def read_count(name):
    with open(name, newline="") as table:
        for line in csv.DictReader(table, delimiter=";"):
            cents = int(Decimal(line["price"]) * 100)
            yield int(line["shelf"]), int(line["article"]), int(line["pieces"]), cents


def main():
    times = [time.perf_counter()]
    rows = list(read_count("count.csv"))
    times.append(time.perf_counter())
    stock = sqlite3.connect("stock.db")
    stock.execute("CREATE TABLE stock (shelf INTEGER, article INTEGER, pieces INTEGER, cents INTEGER)")
    stock.executemany("INSERT INTO stock VALUES (?, ?, ?, ?)", rows)
    stock.execute("CREATE INDEX by_shelf ON stock (shelf, article)")
    times.append(time.perf_counter())
    stock.commit()
    times.append(time.perf_counter())
    query = "SELECT shelf, count(DISTINCT article), sum(pieces * cents) FROM stock GROUP BY shelf ORDER BY 3 DESC"
    with open("shelves.csv", "w", newline="") as out:
        csv.writer(out).writerows(stock.execute(query))
    stock.close()
    times.append(time.perf_counter())
    with open("truth", "w") as truth:
        for name, before, after in zip(["read", "stored", "commit", "report"], times, times[1:]):
            truth.write(f"{name} {(after - before) / (times[-1] - times[0]):.3f}\n")


main()
