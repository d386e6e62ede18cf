"""Answers requests for the price of an article; opens the database for each of them."""
import sqlite3
import time

opening = asking = 0.0


def open_shop():
    return sqlite3.connect("shop.db")


def price_of(shop, article):
    return shop.execute("select price from area_7 where id = ?", [article]).fetchone()[0]


def handle_request(article):
    global opening
    before = time.monotonic()
    shop = open_shop()
    price = price_of(shop, article)
    shop.close()
    opening += time.monotonic() - before
    return price


def handle_by_open_database(shop, article):
    global asking
    before = time.monotonic()
    price_of(shop, article)
    asking += time.monotonic() - before


start, requests = time.monotonic(), 0
while time.monotonic() - start < 2:
    handle_request(requests % 1000)
    requests += 1
wall = time.monotonic() - start
shop = open_shop()
for number in range(100):
    handle_by_open_database(shop, number)
with open("truth", "w") as truth:
    saved = 1 - asking / 100 / (opening / requests)
    truth.write(f"requests {requests}\nsaved_by_one_connection {saved * opening / wall:.3f}\n")
