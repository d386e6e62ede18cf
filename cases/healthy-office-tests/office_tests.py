"""The tests of an office program."""
import sqlite3
import subprocess
import sys
import time
import unittest

times = {}


def interest(cents, rate, months):
    for month in range(months):
        cents += cents * rate // 12_000 + month % 2
    return cents


def words_of(text):
    counts = {}
    for word in text.split():
        word = word.strip(".,").lower()
        counts[word] = counts.get(word, 0) + 1
    return counts


def checksum(number):
    total = 0
    for place, digit in enumerate(str(number)):
        total += int(digit) * (3 if place % 2 else 1)
    return -total % 10


class Timed(unittest.TestCase):
    def setUp(self):
        self.start = time.perf_counter()

    def tearDown(self):
        times[self.id().rsplit(".", 1)[1]] = time.perf_counter() - self.start


class Computation(Timed):
    def test_interest_never_falls(self):
        last = 0
        for cents in range(0, 320_000, 10):
            now = interest(cents, 35, 60)
            self.assertGreaterEqual(now, last)
            last = now

    def test_words(self):
        for number in range(80):
            text = " ".join(f"Letter {word % 97}, page {word % number if number else 0}." for word in range(4000))
            self.assertEqual(words_of(text)["letter"], 4000)

    def test_checksums(self):
        for number in range(4_000_000, 4_500_000):
            self.assertIn(checksum(number), range(10))


class Surroundings(Timed):
    def test_database(self):
        db = sqlite3.connect(":memory:")
        db.execute("CREATE TABLE letter (id INTEGER PRIMARY KEY, day INTEGER)")
        db.executemany("INSERT INTO letter VALUES (?, ?)", ((n, n * 37 % 365) for n in range(30_000)))
        self.assertEqual(db.execute("SELECT count(DISTINCT day) FROM letter").fetchone(), (365,))

    def test_files(self):
        for number in range(5):
            text = f"page {number}\n" * 40_000
            with open(f"letter-{number}.txt", "w") as out:
                out.write(text)
            with open(f"letter-{number}.txt") as back:
                self.assertEqual(back.read(), text)

    def test_programs(self):
        for word in ["sorted", "printed"]:
            self.assertEqual(subprocess.run(["echo", word], capture_output=True, text=True).stdout, word + "\n")

    def test_reminder(self):
        before = time.monotonic()
        time.sleep(0.02)
        self.assertGreaterEqual(time.monotonic() - before, 0.02)


if __name__ == "__main__":
    suite = unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"])
    passed = unittest.TextTestRunner(stream=open("report.txt", "w")).run(suite).wasSuccessful()
    with open("truth", "w") as truth:
        for name, spent in times.items():
            truth.write(f"{name} {spent / sum(times.values()):.3f}\n")
    sys.exit(not passed)
