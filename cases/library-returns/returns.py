"""Books the returns of a morning; what cannot be booked now is written down for later."""
import sqlite3
import time

library = sqlite3.connect("library.db", timeout=0.4, isolation_level=None)
refused = 0.0


def return_book(number):
    global refused
    before = time.perf_counter()
    try:
        library.execute("update book set lent = 0 where number = ?", (number,))
        return True
    except sqlite3.OperationalError:
        refused += time.perf_counter() - before
        return False


start, later = time.perf_counter(), []
for book in (17, 44, 203, 311, 402):
    if not return_book(book):
        later.append(book)
wall = time.perf_counter() - start
with open("later.txt", "w") as file:
    file.write("\n".join(str(book) for book in later))
with open("truth", "w") as truth:
    truth.write(f"share {refused / wall:.3f}\nlater {len(later)}\n")
