"""Exports the bookings of a hotel as JSON lines on the standard output; runs in a container."""
import json
import sys
import time


def bookings_of(day):
    return [{"room": room, "guest": f"guest {day * 40 + room}", "nights": room % 5 + 1, "paid": room % 3 == 0,
             "extras": ["breakfast", "parking"][: room % 3], "cents": 7900 + room * 100} for room in range(40)]


def export_day(day):
    json.dump({"day": day, "bookings": bookings_of(day)}, sys.stdout)
    sys.stdout.write("\n")


start = time.perf_counter()
days = 0
while time.perf_counter() - start < 2.0:
    export_day(days)
    days += 1
with open("truth", "w") as f:
    f.write(f"days {days}\nbytes {sys.stdout.buffer.tell()}\n")
