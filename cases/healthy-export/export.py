"""Exports a catalogue: sums per article, sorted, to a new file that replaces the old one when it is safe."""
import os
import time

syncing = 0.0


def movements(day):
    value = day * 7919 + 11
    for _ in range(20000):
        value = (value * 1103515245 + 12345) & 0x7FFFFFFF
        yield value % 4000, value // 4000 % 25 - 9


def add_day(stock, day):
    for article, amount in movements(day):
        stock[article] = stock.get(article, 0) + amount


def lines(stock, days):
    yield f"catalogue after {days} days\n"
    for article in sorted(stock):
        yield f"{article:05};{stock[article]};{'low' if stock[article] < 10 else 'fine'}\n"


def replace(path, text):
    global syncing
    with open(path + ".new", "w") as out:
        out.writelines(text)
        out.flush()
        before = time.perf_counter()
        os.fsync(out.fileno())
        syncing = time.perf_counter() - before
    os.rename(path + ".new", path)


def main():
    start, cpu = time.perf_counter(), time.process_time()
    stock, days = {}, 0
    while time.perf_counter() - start < 1.9:
        add_day(stock, days)
        days += 1
    replace("catalogue.csv", lines(stock, days))
    wall = time.perf_counter() - start
    with open("truth", "w") as truth:
        print("days", days, file=truth)
        print("syncing", syncing / wall, file=truth)
        print("cpu", (time.process_time() - cpu) / wall, file=truth)


main()
