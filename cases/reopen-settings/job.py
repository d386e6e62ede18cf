"""Looks up a setting for each order; every look-up opens, reads and parses the same file again."""
import time

OPENS = 0


def read_setting(name):
    global OPENS
    OPENS += 1
    with open("app.ini") as settings:
        for line in settings:
            key, _, value = line.partition("=")
            if key == name:
                return value.strip()
    return None


def price(order):
    return order * float(read_setting("tax")) * float(read_setting("discount"))


with open("app.ini", "w") as ini:
    ini.write("tax=1.19\ndiscount=0.9\n" + "".join(f"option{n}=on\n" for n in range(20)))

start, total, orders = time.monotonic(), 0.0, 0
while time.monotonic() - start < 2:
    total += price(orders)
    orders += 1
with open("truth", "w") as truth:
    truth.write(f"opens {OPENS}\n")
