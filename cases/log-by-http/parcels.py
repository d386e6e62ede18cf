"""Sorts parcels by their postcode, and logs where each one goes."""
import logging
import logging.handlers
import time

with open("port") as file:
    port = file.read()
log = logging.getLogger("parcels")
log.setLevel(logging.INFO)
log.addHandler(logging.handlers.HTTPHandler(f"127.0.0.1:{port}", "/records", method="POST"))
logging_time = 0.0


def sort_parcel(number):
    global logging_time
    chute = number * 7919 % 97 // 8
    before = time.perf_counter()
    log.info("parcel %d goes to chute %d", number, chute)
    logging_time += time.perf_counter() - before
    return chute


def main():
    start, number = time.perf_counter(), 0
    while time.perf_counter() - start < 2:
        sort_parcel(number)
        number += 1
    wall = time.perf_counter() - start
    with open("truth", "w") as truth:
        truth.write(f"share {logging_time / wall:.3f}\nparcels {number}\n")


main()
