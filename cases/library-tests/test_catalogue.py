"""Tests of the catalogue, each of which may change it."""
import time
import unittest

import catalogue

preparing = 0.0
started = time.monotonic()


class CatalogueTest(unittest.TestCase):
    def setUp(self):
        global preparing
        before = time.monotonic()
        self.catalogue = catalogue.read_catalogue("books.json")
        preparing += time.monotonic() - before


class Authors(CatalogueTest):
    pass


class Lending(CatalogueTest):
    def test_nothing_is_lent(self):
        self.assertEqual(self.catalogue.lent(), [])

    def test_the_same_book_twice(self):
        self.catalogue.lend(7, "Ann")
        with self.assertRaises(ValueError):
            self.catalogue.lend(7, "Bob")


def author_test(number):
    def test(self):
        found = self.catalogue.by_author(f"Author {number}")
        self.assertTrue(all(f"Author {number}" in book["authors"] for book in found))
    return test


def lending_test(number):
    def test(self):
        self.catalogue.lend(number, "Ann")
        self.assertEqual([book["title"] for book in self.catalogue.lent()], [f"Book {number}"])
    return test


for n in range(32):
    setattr(Authors, f"test_author_{n}", author_test(n))
    setattr(Lending, f"test_lend_{n * 301}", lending_test(n * 301))


def tearDownModule():
    with open("truth", "w") as truth:
        truth.write(f"preparing {preparing / (time.monotonic() - started):.3f}\n")
