"""Imports the measurements of weather stations into SQLite: 20,000 rows per transaction."""
import sqlite3
import time

committing = 0.0


def open_database(path):
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("pragma journal_mode = wal")
    database.execute("pragma synchronous = normal")
    database.execute("create table measurements (station integer, minute integer, temperature real, wind real, note text)")
    return database


def parse_line(line):
    station, minute, temperature, wind, note = line.split(";")
    return int(station), int(minute), float(temperature), float(wind), note.strip() or None


def make_lines(block, count=20000):
    """What the stations sent; every fourth line has a note."""
    for n in range(block * count, (block + 1) * count):
        note = "" if n % 4 else f"calibrated by technician {n % 31}"
        yield f"{n % 300};{n // 300};{n * 7919 % 400 / 10 - 10};{n * 31 % 250 / 10};{note}\n"


def import_block(database, lines):
    global committing
    database.execute("begin")
    database.executemany("insert into measurements values (?, ?, ?, ?, ?)", map(parse_line, lines))
    before = time.monotonic()
    database.execute("commit")
    committing += time.monotonic() - before


def main():
    start = time.monotonic()
    database = open_database("weather.db")
    blocks = 0
    while time.monotonic() - start < 2:
        import_block(database, make_lines(blocks))
        blocks += 1
    rows, warmest = database.execute("select count(*), max(temperature) from measurements").fetchone()
    database.close()
    wall = time.monotonic() - start
    with open("truth", "w") as truth:
        truth.write(f"committing {committing / wall:.3f}\nblocks {blocks}\nrows {rows}\nwarmest {warmest}\n")


main()
