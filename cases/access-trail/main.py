"""A busy day in the reading room of an archive."""
import time

import archive
import trail


def a_day(room, end):
    asked = 0
    while time.monotonic() < end:
        room.ask(f"reader-{asked * 31 % 70}", asked % 6, f"box-{asked * 7919 % 400}")
        asked += 1
    return asked


start = time.monotonic()
asked = a_day(archive.ReadingRoom("trail"), start + 2)
with open("truth", "w") as truth:
    truth.write(f"noting {trail.noting / (time.monotonic() - start):.3f}\nasked {asked}\n")
