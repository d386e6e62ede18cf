"""Suggests streets while somebody types, from a register in SQLite."""
import random
import sqlite3
import time

PARTS = ["Acker", "Birken", "Chaussee", "Dorf", "Eichen", "Fichten", "Garten", "Hafen", "Insel", "Kirch", "Linden"]
ENDS = ["weg", "allee", "gasse", "platz", "ufer", "steig"]


def register():
    db = sqlite3.connect("register.db")
    db.execute("CREATE TABLE street (id INTEGER PRIMARY KEY, name TEXT, town TEXT)")
    rng = random.Random(2)
    rows = [(f"{rng.choice(PARTS)}{rng.choice(PARTS).lower()}{rng.choice(ENDS)} {i % 977}", f"town {i % 311}") for i in range(130_000)]
    with db:
        db.executemany("INSERT INTO street (name, town) VALUES (?, ?)", rows)
        db.execute("CREATE INDEX street_name ON street (name)")
    return db


def suggest(db, typed):
    """The first streets whose names begin with what is typed so far."""
    return db.execute("SELECT name, town FROM street WHERE name LIKE ? ORDER BY id LIMIT 8", (typed + "%",)).fetchall()


def type_name(db, name, shown):
    for length in range(6, len(name), 2):
        shown.append(len(suggest(db, name[:length])))


def main():
    t0 = time.monotonic()
    db = register()
    rng = random.Random(9)
    names, shown = 0, []
    t1 = time.monotonic()
    while time.monotonic() - t1 < 2.0:
        type_name(db, rng.choice(PARTS) + rng.choice(PARTS).lower() + "wall 4711", shown)
        names += 1
    t2 = time.monotonic()
    print(names, "names typed,", sum(shown), "suggestions shown")
    with open("truth", "w") as out:
        print("share", round((t2 - t1) / (t2 - t0 + 0.03), 2), file=out)


if __name__ == "__main__":
    main()
