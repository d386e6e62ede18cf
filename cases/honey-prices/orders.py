"""Bills the orders of a beekeepers' shop. The price list is a file that the office edits now and then."""
import json
import time
from pathlib import Path

PRICE_LIST = Path("prices.json")
SORTS = ["acacia", "chestnut", "clover", "fir", "heather", "lime", "lavender", "rape", "sunflower", "thyme"]


def write_price_list():
    articles = {}
    for number in range(900):
        sort = SORTS[number % len(SORTS)]
        articles[f"{sort}-{number // len(SORTS)}"] = {
            "grams": 250 * (1 + number % 4), "cents": 390 + number * 7 % 800,
            "labels": [sort, "organic" if number % 3 else "regional"], "in_stock": number % 11 != 0}
    PRICE_LIST.write_text(json.dumps({"valid_from": "2024-03-01", "articles": articles}, indent=1))


def price_of(article):
    with PRICE_LIST.open() as file:
        prices = json.load(file)
    return prices["articles"][article]["cents"]


def bill(order):
    total = 0
    for article, count in order:
        total += price_of(article) * count
    return total


def order_number(number):
    return [(f"{SORTS[(number + n) % len(SORTS)]}-{(number * 3 + n) % 90}", 1 + n % 3) for n in range(5)]


def main():
    write_price_list()
    start = time.perf_counter()
    orders = cents = 0
    while time.perf_counter() - start < 2.0:
        cents += bill(order_number(orders))
        orders += 1
    print(orders, "orders,", cents / 100, "euros")


main()
