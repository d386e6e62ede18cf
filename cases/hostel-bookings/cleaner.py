"""Takes the beds of guests who have left out of the bookings, room by room."""
import sqlite3
import time


def room_is_clean(room):
    time.sleep(0.05)
    return True


def clean(database):
    database.execute("BEGIN IMMEDIATE")
    open("ready", "w").close()
    for room in range(50):
        if room_is_clean(room):
            database.execute("UPDATE beds SET guest = NULL WHERE room = ? AND leaves < 3", (room,))
    database.execute("COMMIT")


database = sqlite3.connect("hostel.db", timeout=30, isolation_level=None)
database.execute("PRAGMA journal_mode = WAL")
database.execute("PRAGMA synchronous = OFF")
database.execute("CREATE TABLE beds (id INTEGER PRIMARY KEY, room INT, guest TEXT, leaves INT)")
database.executemany("INSERT INTO beds (room, leaves) VALUES (?, ?)", [(n // 6, n % 9) for n in range(240)])
while True:
    clean(database)
    time.sleep(0.7)
