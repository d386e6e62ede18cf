"""An order service. So that changed rules count at once, their module is loaded anew for every order."""
import importlib
import os
import shutil
import sys
import time

sys.dont_write_bytecode = True
shutil.copy(os.path.join(os.environ["CASE"], "prices.py"), "prices.py")
sys.path.insert(0, os.getcwd())
import prices  # noqa: E402

reloading = 0.0


def current_rules():
    global reloading
    before = time.monotonic()
    importlib.reload(prices)
    reloading += time.monotonic() - before
    return prices


def price_order(number):
    rules = current_rules()
    return rules.price_of(number % 60 + 1, 4.5, ("DE", "FR", "NL", "SE")[number % 4], number % 4 + 1)


def main():
    start = time.monotonic()
    orders, total = 0, 0.0
    while time.monotonic() - start < 2:
        total += price_order(orders)
        orders += 1
    with open("truth", "w") as truth:
        truth.write(f"reloading {reloading / (time.monotonic() - start):.3f}\norders {orders}\ntotal {total:.0f}\n")


main()
