"""The desk of a hostel: gives a bed to each guest who comes."""
import sqlite3
import time

GUESTS = 5


def first_free(database):
    return database.execute("SELECT min(id) FROM beds WHERE guest IS NULL").fetchone()[0]


def take_bed(database, guest):
    database.execute("BEGIN IMMEDIATE")
    bed = first_free(database)
    database.execute("UPDATE beds SET guest = ?, leaves = 5 WHERE id = ?", (guest, bed))
    database.execute("COMMIT")
    return bed


def main():
    database = sqlite3.connect("hostel.db", timeout=20, isolation_level=None)
    database.execute("PRAGMA synchronous = OFF")
    start = time.perf_counter()
    waiting = 0.0
    for number in range(GUESTS):
        before = time.perf_counter()
        bed = take_bed(database, "guest %d" % number)
        waiting += time.perf_counter() - before
        print("guest", number, "has bed", bed)
        time.sleep(0.03)
    with open("truth", "w") as out:
        out.write("share %.3f\n" % (waiting / (time.perf_counter() - start + 0.04)))


main()
