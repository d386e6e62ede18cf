"""Imports the deliveries of a herb shop. An audit trail is kept in the same database."""
import sqlite3
import time

WAIT = 0.4


def connect(path):
    return sqlite3.connect(path, timeout=WAIT)


class Audit:
    """Notes what was done, over a connection of its own, so that it is kept if the import fails."""

    def __init__(self, path):
        self.database = connect(path)
        self.missed = 0

    def note(self, text):
        try:
            self.database.execute("insert into audit values (?, ?)", (time.time(), text))
            self.database.commit()
        except sqlite3.OperationalError:
            self.missed += 1


def deliveries():
    herbs = ["basil", "thyme", "sage", "mint", "dill"]
    for day in range(5):
        yield [(herb, day, (day * 37 + i * 11) % 90) for i, herb in enumerate(herbs)]


def main():
    shop = connect("shop.db")
    shop.execute("create table if not exists stock (herb, day, grams)")
    shop.execute("create table if not exists audit (at, text)")
    shop.commit()
    audit = Audit("shop.db")
    for day, delivery in enumerate(deliveries()):
        shop.executemany("insert into stock values (?, ?, ?)", delivery)
        audit.note(f"day {day}: {len(delivery)} herbs")
        shop.commit()
    print(shop.execute("select herb, sum(grams) from stock group by herb").fetchall())
    print("notes missed:", audit.missed)


main()
