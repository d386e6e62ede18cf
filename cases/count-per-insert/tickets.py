"""Imports tickets from a mail box, all in one transaction."""
import sqlite3
import time

db = sqlite3.connect("tickets.db", isolation_level=None)
db.execute("pragma cache_size = -40000")
counting = 0.0


def next_number():
    global counting
    before = time.monotonic()
    number, = db.execute("select count(*) from tickets where text is not null").fetchone()
    counting += time.monotonic() - before
    return number


def add_ticket(text):
    db.execute("insert into tickets values (?, 1, ?)", (next_number(), text))


start, tickets = time.monotonic(), 0
db.execute("begin")
while time.monotonic() - start < 1.8:
    add_ticket(f"the projector in room {tickets % 40} is dark")
    tickets += 1
db.execute("rollback" if tickets == 0 else "commit")
took = time.monotonic() - start
with open("truth", "w") as truth:
    truth.write(f"share {counting / took:.3f}\ntickets {tickets}\nms_per_ticket {1000 * took / tickets:.2f}\n")
