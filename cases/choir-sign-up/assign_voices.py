"""Gives each singer of the summer choir a voice, and prints how many sing what."""
import collections
import random
import sqlite3
import sys
import time

from mapper import Session, Singer

VOICES = ["soprano", "alto", "tenor", "bass"]


def create(database, count):
    random.seed(9)
    database.execute("create table singers (number integer primary key, name, voice, town)")
    database.executemany(
        "insert into singers values (?, ?, ?, ?)",
        [(n, f"Singer {n}", random.choice(VOICES), f"Town {n % 60}") for n in range(count)],
    )
    database.commit()


def assign(session, until):
    counts = collections.Counter()
    for singer in session.load_all(Singer, "singers"):
        if counts[singer.voice, singer.town] > 40:
            singer.voice = VOICES[(VOICES.index(singer.voice) + 1) % 4]
            session.mark_dirty(singer)
        counts[singer.voice, singer.town] += 1
        if time.perf_counter() > until:
            break
    session.flush("singers")
    return counts


def main():
    until = time.perf_counter() + 2
    database = sqlite3.connect(":memory:")
    create(database, 30000)
    counts = assign(Session(database), until)
    for voice in VOICES:
        print(voice, sum(n for (v, _), n in counts.items() if v == voice))


main()
