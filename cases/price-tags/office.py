"""Writes a new price as soon as the tags show the last one."""
import os
import time

price = 100
with open("/proc/self/comm", "w") as comm:
    comm.write("office")


def write_price():
    with open("price.part", "w") as file:
        file.write(f"{price} {time.time():.4f}\n")
    os.rename("price.part", "price.txt")


write_price()
open("ready", "w").close()
last = time.monotonic()
while True:
    time.sleep(0.005)
    try:
        with open("shown.txt") as file:
            shown = file.read().strip()
    except FileNotFoundError:
        shown = ""
    # Somebody may have taken the tag away: go on after a while.
    if shown == str(price) or time.monotonic() - last > 1.5:
        price += 7
        write_price()
        last = time.monotonic()
