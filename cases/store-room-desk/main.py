"""The desk of a store room answers where a part lies and how many are left."""
import random
import sqlite3
import time


def open_stock(path):
    """Opens the stock; a broken file must never be used."""
    db = sqlite3.connect(path)
    state = db.execute("PRAGMA quick_check").fetchone()[0]
    if state != "ok":
        raise SystemExit(f"{path}: {state}")
    return db


def find_part(number):
    db = open_stock("stock.db")
    try:
        row = db.execute("SELECT shelf, pieces FROM part WHERE id = ?", (number,)).fetchone()
        return row or ("unknown", 0)
    finally:
        db.close()


def main():
    rng = random.Random(6)
    start, answers, pieces = time.monotonic(), 0, 0
    while time.monotonic() - start < 2.0:
        shelf, left = find_part(rng.randrange(1, 60_000))
        pieces += left
        answers += 1
    print(answers, "answers,", pieces, "pieces")


if __name__ == "__main__":
    main()
