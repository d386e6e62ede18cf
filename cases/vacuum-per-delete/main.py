"""A guest book throws away its oldest entries. After each deletion it calls VACUUM, which writes the whole database anew
and syncs it several times."""
import sqlite3
import time

vacuuming = 0.0


def fill_guest_book(database):
    database.execute("CREATE TABLE entry (id INTEGER PRIMARY KEY, guest TEXT, text TEXT)")
    database.executemany("INSERT INTO entry VALUES (?, ?, ?)",
                         ((n, f"guest {n * 7919 % 1000}", f"We liked the lake, and the cake number {n}. " * 4)
                          for n in range(20_000)))
    database.commit()


def tidy_up(database):
    global vacuuming
    before = time.monotonic()
    database.execute("VACUUM")
    vacuuming += time.monotonic() - before


def delete_oldest(database):
    database.execute("DELETE FROM entry WHERE id = (SELECT min(id) FROM entry)")
    database.commit()
    tidy_up(database)


def main():
    database = sqlite3.connect("guests.db")
    fill_guest_book(database)
    start = time.monotonic()
    deleted = 0
    while time.monotonic() - start < 2:
        delete_oldest(database)
        deleted += 1
    wall = time.monotonic() - start
    database.close()
    with open("truth", "w") as truth:
        truth.write(f"vacuuming {vacuuming / wall:.3f}\ndeleted {deleted}\nms_per_deletion {1000 * wall / deleted:.1f}\n")


main()
