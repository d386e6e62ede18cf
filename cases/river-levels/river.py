"""Smooths the hourly levels of a river by the mean of two days around each hour."""
import statistics
import time

averaging = 0.0


def level_at(hour):
    return 212.5 + (hour * 7919 % 613) / 10 - (hour * 31 % 97) / 7


def smooth(levels, hour):
    global averaging
    before = time.perf_counter()
    value = statistics.mean(levels[max(0, hour - 24):hour + 25])
    averaging += time.perf_counter() - before
    return value


start = time.perf_counter()
levels = [level_at(hour) for hour in range(24 * 365 * 12)]
with open("smooth.csv", "w") as curve:
    for hour in range(len(levels)):
        curve.write(f"{hour};{smooth(levels, hour):.2f}\n")
        if time.perf_counter() - start > 2:
            break
wall = time.perf_counter() - start
with open("truth", "w") as truth:
    truth.write(f"share {averaging / wall:.3f}\nhours {hour}\n")
