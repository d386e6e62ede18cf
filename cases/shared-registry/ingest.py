"""Counts the events of a day per sensor. The registry of sensors is shared by a manager process."""
import multiprocessing
import os
import time


def registry_with_sensors(manager):
    registry = manager.dict()
    registry.update({f"sensor-{n}": {"unit": "C" if n % 2 else "hPa", "factor": 1 + n % 7} for n in range(200)})
    return registry


def read_events(number):
    value = 17
    for _ in range(number):
        value = value * 1103515245 + 12345 & 0x7FFFFFFF
        yield f"sensor-{value % 200}", value // 200 % 1000


def factor_of(registry, sensor):
    return registry[sensor]["factor"]


def count_event(registry, totals, sensor, value):
    totals[sensor] = totals.get(sensor, 0) + value * factor_of(registry, sensor)


def ingest(registry, seconds):
    totals, events, asking = {}, 0, 0.0
    end = time.monotonic() + seconds
    for sensor, value in read_events(10_000_000):
        before = time.monotonic()
        count_event(registry, totals, sensor, value)
        asking += time.monotonic() - before
        events += 1
        if before > end:
            break
    return totals, events, asking


def report(totals):
    with open("totals.txt", "w") as out:
        for sensor, total in sorted(totals.items()):
            print(sensor, total, file=out)


def main():
    with multiprocessing.Manager() as manager:
        registry = registry_with_sensors(manager)
        start, cpu = time.monotonic(), time.process_time()
        totals, events, asking = ingest(registry, 2.2)
        wall = time.monotonic() - start
        report(totals)
        local = registry.copy()
        before = time.monotonic()
        for sensor, value in read_events(events):
            count_event(local, totals, sensor, value)
        with open("truth", "w") as truth:
            print("events", events, file=truth)
            print("asking", asking / wall, file=truth)
            print("own_cpu", (time.process_time() - cpu) / wall, file=truth)
            print("with_a_local_copy", (time.monotonic() - before) / wall, file=truth)


main()
