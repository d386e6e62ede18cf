"""Tests of the library's desk; they are repeated with other books until the time of the job is over."""
import time
import unittest

import desk

STARTED = time.monotonic()
FIXTURES = 0.0


class DeskTest(unittest.TestCase):
    def setUp(self):
        global FIXTURES
        before = time.monotonic()
        self.app = desk.create_app()
        for name in ("anna", "bert", "cora"):
            desk.add_user(self.app, name, f"{name}-secret")
        FIXTURES += time.monotonic() - before
        self.client = self.app.test_client()

    def test_lend(self):
        answer = self.client.post("/loans", json={"book": "b1", "reader": "anna"})
        self.assertEqual(answer.status_code, 201)

    def test_loan(self):
        self.client.post("/loans", json={"book": "b2", "reader": "bert"})
        self.assertEqual(self.client.get("/loans/b2").get_json(), {"reader": "bert"})

    def test_unknown(self):
        self.assertEqual(self.client.get("/loans/b9").get_json(), {"reader": None})


def main():
    loader = unittest.defaultTestLoader
    runner = unittest.TextTestRunner(verbosity=0)
    while time.monotonic() - STARTED < 2:
        runner.run(loader.loadTestsFromTestCase(DeskTest))
    with open("truth", "w") as out:
        out.write(f"share {FIXTURES / (time.monotonic() - STARTED):.2f}\n")


if __name__ == "__main__":
    main()
