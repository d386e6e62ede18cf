"""Prices an order book; the log level was left at DEBUG, and each step is written to trace.log at once."""
import logging
import time

handler = logging.FileHandler("trace.log")
handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
log = logging.getLogger("prices")
log.addHandler(handler)
log.setLevel(logging.DEBUG)


def price(order):
    log.debug("order %d: looked at the tier of the customer, the season and the stock of the item", order)
    return order * 19 % 10_000


def price_orders(seconds):
    end, orders, total = time.monotonic() + seconds, 0, 0
    while time.monotonic() < end:
        total += price(orders)
        orders += 1
    return orders


logged = price_orders(1.5)
log.setLevel(logging.INFO)
quiet = price_orders(0.3)
with open("truth", "w") as truth:
    truth.write(f"orders_per_s_logged {logged / 1.5:.0f}\norders_per_s_quiet {quiet / 0.3:.0f}\n")
