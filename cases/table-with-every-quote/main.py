"""Freight quotes are computed by a pool of two processes. The table of tariffs is an argument of the function, so it is
pickled, sent through a pipe and unpickled for every quote."""
import functools
import multiprocessing
import os
import time


def load_tariffs():
    return {(origin, destination): {"base": origin * 1.5 + destination, "per_kilo": 0.1 + destination / 100,
                                    "zones": [origin % 7, destination % 7]}
            for origin in range(80) for destination in range(80)}


def quote_freight(tariffs, order):
    origin, destination, weight = order
    tariff = tariffs[origin, destination]
    return tariff["base"] + tariff["per_kilo"] * weight + sum(tariff["zones"])


def incoming_orders(until):
    number = 0
    while time.monotonic() < until:
        yield number % 80, number * 7 % 80, number % 40 + 1
        number += 1


def quote_orders(pool, tariffs, until):
    total, count = 0.0, 0
    quote = functools.partial(quote_freight, tariffs)
    for order in incoming_orders(until):
        total += pool.apply(quote, (order,))
        count += 1
    return total, count


def main():
    tariffs = load_tariffs()
    start = time.monotonic()
    with multiprocessing.Pool(2) as pool:
        total, count = quote_orders(pool, tariffs, start + 2)
    before = time.perf_counter()
    quote_freight(tariffs, (3, 4, 5))
    work = time.perf_counter() - before
    wall = time.monotonic() - start
    with open("truth", "w") as truth:
        truth.write(f"quotes {count}\nms_per_quote {1000 * wall / count:.1f}\nms_of_work_per_quote {1000 * work:.4f}\n"
                    f"cpus {sum(os.times()[:4]) / wall:.2f}\n")


if __name__ == "__main__":
    main()
