"""Tests of the parcel rates. Each test gets a sandbox with the rate tables of all carriers."""
import os
import shutil
import tempfile
import time
import unittest

spent = {"sandbox": 0.0}


class RateBook:
    def __init__(self, root):
        self.root = root

    def table(self, carrier, zone):
        path = os.path.join(self.root, "carriers", f"c{carrier:02}", f"zone{zone:02}.csv")
        with open(path) as f:
            return {int(w): int(p) for w, p in (line.split(";") for line in f)}

    def price(self, carrier, zone, weight):
        return self.table(carrier, zone)[weight]


class SandboxCase(unittest.TestCase):
    def setUp(self):
        start = time.perf_counter()
        self.sandbox = tempfile.mkdtemp(dir=".")
        shutil.copytree("fixture", self.sandbox, dirs_exist_ok=True)
        self.book = RateBook(self.sandbox)
        spent["sandbox"] += time.perf_counter() - start

    def tearDown(self):
        start = time.perf_counter()
        shutil.rmtree(self.sandbox)
        spent["sandbox"] += time.perf_counter() - start


class PriceTests(SandboxCase):
    def test_heavier_is_another_price(self):
        prices = {self.book.price(3, 7, w) for w in range(20)}
        self.assertGreater(len(prices), 10)

    def test_cheapest_carrier(self):
        best = min(range(10), key=lambda c: self.book.price(c, 1, 5))
        self.assertLessEqual(self.book.price(best, 1, 5), self.book.price(0, 1, 5))

    def test_unknown_weight(self):
        with self.assertRaises(KeyError):
            self.book.price(1, 1, 99)

    def test_zones_differ(self):
        sums = [sum(self.book.table(2, z).values()) for z in range(20)]
        self.assertGreater(len(set(sums)), 5)


def main():
    start = time.perf_counter()
    runs = 0
    suite = list(unittest.defaultTestLoader.loadTestsFromTestCase(PriceTests))
    while time.perf_counter() - start < 2:
        result = unittest.TestResult()
        suite[runs % len(suite)].run(result)
        assert result.wasSuccessful(), result
        runs += result.testsRun
    wall = time.perf_counter() - start
    print(runs, "tests passed")
    with open("truth", "w") as f:
        f.write(f"share {spent['sandbox'] / wall:.2f}\ntests {runs}\n")


if __name__ == "__main__":
    main()
