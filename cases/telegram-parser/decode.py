"""Decodes the telegrams of a heating: each has a length, a sensor and some values."""
import time

cutting = 0.0


def capture():
    telegram = bytes([14, 3]) + bytes(range(12))
    other = bytes([9, 5]) + bytes(range(7))
    return (telegram + other * 2) * 190_000


def next_telegram(data):
    global cutting
    length = data[0]
    telegram = data[:length]
    before = time.perf_counter()
    data = data[length:]
    cutting += time.perf_counter() - before
    return telegram, data


def read_telegrams(data, end):
    count, sums = 0, {}
    while data and time.perf_counter() < end:
        telegram, data = next_telegram(data)
        sums[telegram[1]] = sums.get(telegram[1], 0) + sum(telegram[2:])
        count += 1
    return count, sums


recorded = capture()
start = time.perf_counter()
count, sums = read_telegrams(recorded, start + 2)
wall = time.perf_counter() - start
with open("truth", "w") as truth:
    truth.write(f"share {cutting / wall:.3f}\ntelegrams {count}\n")
