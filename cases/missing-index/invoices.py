"""Writes an invoice for each order; finds the customer by the e-mail address in it."""
import sqlite3
import time

looking = 0.0
QUERY = "select id, name from customers where email = ?"


def find_customer(shop, email):
    global looking
    before = time.perf_counter()
    row = shop.execute(QUERY, (email,)).fetchone()
    looking += time.perf_counter() - before
    return row


def write_invoice(out, number, customer):
    out.write(f"invoice {number}: {customer[1]} (customer {customer[0]})\n")


def email_of(order):
    return f"customer{order * 104729 % 40000}@mail.example.test"


def main():
    global looking
    shop = sqlite3.connect("shop.db", isolation_level=None)
    plan = shop.execute("explain query plan " + QUERY, ("x",)).fetchone()[3]
    start = time.perf_counter()
    orders = 0
    with open("invoices.txt", "w") as out:
        while time.perf_counter() - start < 2.0:
            write_invoice(out, orders, find_customer(shop, email_of(orders)))
            orders += 1
    took, without = time.perf_counter() - start, looking
    with open("truth", "w") as truth:
        truth.write(f"looking {without / took:.3f}\norders {orders}\nper_look_up_ms {without / orders * 1000:.3f}\nplan {plan}\n")
        memory = sqlite3.connect(":memory:")
        shop.backup(memory)
        memory.execute("create index by_email on customers (email)")
        looking = 0.0
        for order in range(200):
            find_customer(memory, email_of(order))
        truth.write(f"with_index_ms {looking / 200 * 1000:.4f}\n")


main()
