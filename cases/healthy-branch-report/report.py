"""Writes the sales of each branch, article and month."""
import csv
import sqlite3
import time

QUERIES = {
    "branches": "select branch, count(*), sum(cents), max(cents) from sales group by branch order by 3 desc",
    "articles": "select article, count(*), sum(cents) from sales group by article having sum(cents) > 100000 order by 3",
    "months": "select branch, day / 30, sum(cents), avg(cents) from sales group by branch, day / 30",
    "days": "select day, sum(cents), count(distinct article) from sales group by day",
    "best": "select branch, article, sum(cents) as total from sales group by branch, article order by total desc limit 50",
}


def open_sales():
    memory = sqlite3.connect(":memory:")
    with sqlite3.connect("sales.db") as file:
        file.backup(memory)
    return memory


def write_report(sales, name, query):
    with open(f"{name}.csv", "w", newline="") as out:
        csv.writer(out).writerows(sales.execute(query))


start = time.monotonic()
database = open_sales()
for report, text in QUERIES.items():
    write_report(database, report, text)
with open("truth", "w") as truth:
    truth.write(f"cpus {time.process_time() / (time.monotonic() - start):.3f}\nqueries {len(QUERIES)}\n")
