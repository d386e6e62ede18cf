"""Reports what each order was worth, for one clerk after the other."""
import sqlite3
import time


def lines_of(shop, order):
    return shop.execute("SELECT article, cents FROM line WHERE order_id = ?", (order,)).fetchall()


def write_report(shop, orders):
    worth = []
    for order, customer in orders:
        worth.append((customer, sum(cents for _, cents in lines_of(shop, order))))
    return worth


def joined(shop):
    query = "SELECT customer, total(cents) FROM orders JOIN line ON order_id = id GROUP BY id ORDER BY id"
    return [(customer, int(cents)) for customer, cents in shop.execute(query)]


def main():
    shop = sqlite3.connect("shop.db")
    orders = shop.execute("SELECT id, customer FROM orders ORDER BY id").fetchall()
    reported, spent = 0, 0.0
    start = time.perf_counter()
    while time.perf_counter() - start < 2:
        before = time.perf_counter()
        some = orders[reported % len(orders):][:500]
        worth = write_report(shop, some)
        spent += time.perf_counter() - before
        reported += len(some)
    wall = time.perf_counter() - start
    before = time.perf_counter()
    other = joined(shop)
    join_each = (time.perf_counter() - before) / len(other)
    shop.close()
    with open("report.csv", "w") as out:
        out.writelines(f"{customer};{cents}\n" for customer, cents in worth)
    with open("truth", "w") as truth:
        truth.write(f"queries {spent / wall:.3f}\norders {reported}\ntimes_slower {spent / reported / join_each:.1f}\n")


main()
