#!/usr/bin/env python3
"""A town archive's search, with a thread per visitor; the archivist's statistics run beside."""
import sqlite3
import threading
import time


class Archive:
    def __init__(self):
        self.db = sqlite3.connect("archive.db", check_same_thread=False)

    def title(self, number):
        return self.db.execute("SELECT title, shelf FROM letters WHERE number = ?", (number,)).fetchone()

    def pairs_on_shelves(self, year):
        """How many letters of a year lie beside a letter of the same sender."""
        return self.db.execute(
            "SELECT count(*) FROM letters a JOIN letters b ON a.shelf = b.shelf AND a.sender = b.sender + 0 "
            "AND a.number < b.number WHERE a.year = ?", (year,)).fetchone()


def visitor(archive, n, until, waits):
    served = 0
    while time.monotonic() < until:
        t = time.monotonic()
        archive.title((n * 7919 + served * 31) % 20000)
        waits.append(time.monotonic() - t)
        served += 1
        time.sleep(0.002)


def statistics(archive, until):
    year = 1850
    while time.monotonic() < until:
        archive.pairs_on_shelves(year)
        year = 1850 + (year - 1849) % 100
        time.sleep(0.01)


def main():
    archive = Archive()
    until = time.monotonic() + 2.0
    waits = []
    threads = [threading.Thread(target=visitor, args=(archive, n, until, waits), name=f"visitor-{n}") for n in range(3)]
    threads.append(threading.Thread(target=statistics, args=(archive, until), name="statistics"))
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    print(len(waits), "visitors, longest wait", round(max(waits), 3), "all waits", round(sum(waits), 2))


main()
