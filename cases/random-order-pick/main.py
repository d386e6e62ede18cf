"""A quiz takes each of its questions by ORDER BY random() LIMIT 1, which numbers and sorts the whole catalogue."""
import sqlite3
import time


def fill_catalogue(database):
    database.execute("CREATE TABLE question (id INTEGER PRIMARY KEY, subject TEXT, text TEXT, answer TEXT)")
    subjects = ("history", "biology", "music", "geography", "sport")
    database.executemany("INSERT INTO question VALUES (?, ?, ?, ?)",
                         ((n, subjects[n % 5], f"Question {n}: what is meant by {n * 7919 % 100003}?", f"answer {n}")
                          for n in range(60_000)))
    database.commit()


def pick_question(database, subject):
    return database.execute("SELECT id, text, answer FROM question WHERE subject = ? ORDER BY random() LIMIT 1",
                            (subject,)).fetchone()


def play_round(database, number):
    right = 0
    for subject in ("history", "music", "sport"):
        ident, text, answer = pick_question(database, subject)
        right += answer.endswith(str(number % 10)) and "?" in text
    return right


def main():
    database = sqlite3.connect(":memory:")
    fill_catalogue(database)
    start = time.monotonic()
    rounds = right = 0
    while time.monotonic() - start < 2:
        right += play_round(database, rounds)
        rounds += 1
    wall = time.monotonic() - start
    before = time.monotonic()
    for n in range(100):
        database.execute("SELECT id, text, answer FROM question WHERE id = ?", (n * 500,)).fetchone()
    by_key = (time.monotonic() - before) / 100
    with open("truth", "w") as truth:
        truth.write(f"rounds {rounds}\nms_per_question {1000 * wall / rounds / 3:.2f}\nms_by_key {1000 * by_key:.3f}\n"
                    f"right {right}\n")


main()
