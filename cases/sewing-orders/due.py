"""Lists the orders of a sewing workshop that are due in a month, each with the cloth that it takes."""
import sqlite3
import time


def orders_due(db, month):
    return db.execute("SELECT id, customer, due FROM orders WHERE due LIKE ? ORDER BY due", (f"{month}-%",)).fetchall()


def items_of(db, order):
    return db.execute("SELECT cloth, metres FROM items WHERE order_id = ?", (order,)).fetchall()


def month_sheet(db, month):
    lines = []
    for order, customer, due in orders_due(db, month):
        items = items_of(db, order)
        metres = sum(length for _, length in items)
        lines.append(f"{due} {customer:<16} {len(items):>3} items {metres:>7.1f} m")
    return lines


def main():
    start = time.perf_counter()
    with sqlite3.connect("workshop.db") as db, open("due.txt", "w") as out:
        for month in range(1, 4):
            for line in month_sheet(db, f"2024-{month:02}"):
                out.write(line + "\n")
    print(f"{time.perf_counter() - start:.1f} s")


main()
