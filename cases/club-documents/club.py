"""Front desk of a sports club: members are kept as JSON documents in SQLite."""
import json
import random
import sqlite3
import time


def open_store():
    db = sqlite3.connect(":memory:")
    db.execute("create table member (id integer primary key, doc text not null)")
    rng = random.Random(11)
    rows = []
    for n in range(4000):
        rows.append((json.dumps({
            "visits": [f"2026-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}" for _ in range(40)],
            "sports": rng.sample(["tennis", "judo", "rowing", "chess", "golf", "diving"], 3),
            "name": f"Member {n}",
            "card": f"C{n:06d}",
        }),))
    db.executemany("insert into member (doc) values (?)", rows)
    db.commit()
    return db


def find_by_card(db, card):
    row = db.execute(
        "select id, json_extract(doc, '$.name') from member where json_extract(doc, '$.card') = ?", (card,)
    ).fetchone()
    return row


def greet(row):
    return f"Welcome, {row[1]} ({row[0]})"


def main():
    started = time.monotonic()
    db = open_store()
    rng = random.Random(5)
    finding = 0.0
    lines = []
    while time.monotonic() - started < 2.1:
        before = time.monotonic()
        row = find_by_card(db, f"C{rng.randrange(4000):06d}")
        finding += time.monotonic() - before
        lines.append(greet(row))
    with open("truth", "w") as out:
        out.write(f"share {finding / (time.monotonic() - started):.2f}\nvisits {len(lines)}\n")
    print(lines[-1])


if __name__ == "__main__":
    main()
