"""Exports all orders in pages of 400, by LIMIT and OFFSET: for each page the database walks over all that came
before."""
import sqlite3
import time

shop = sqlite3.connect("shop.db")
shop.execute("pragma cache_size = -100000")
start, asking, pages = time.monotonic(), 0.0, 0
quarters = [0, 0, 0, 0]


def next_page(number):
    question = "select id, customer, amount from orders order by id limit 400 offset ?"
    return shop.execute(question, [400 * number]).fetchall()


with open("orders.csv", "w") as out:
    while (took := time.monotonic() - start) < 2.4:
        before = time.monotonic()
        rows = next_page(pages)
        asking += time.monotonic() - before
        if not rows:
            break
        out.writelines(f"{number},{customer},{amount}\n" for number, customer, amount in rows)
        quarters[int(took / 0.6)] += 1
        pages += 1
with open("truth", "w") as truth:
    truth.write(f"asking {asking / (time.monotonic() - start):.3f}\npages {pages}\n"
                f"first_quarter {quarters[0]}\nlast_quarter {quarters[3]}\n")
