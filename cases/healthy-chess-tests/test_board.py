"""Tests of the boards; what all of them need is prepared once."""
import time
import unittest

import board

SIZE = 96
started = time.monotonic()


class Distances(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.far = board.distances((0, 0), SIZE)

    def test_reaches_all(self):
        self.assertEqual(len(self.far), SIZE * SIZE)

    def test_neighbours_differ_by_one(self):
        for square, distance in self.far.items():
            for other in board.moves(square, SIZE):
                self.assertEqual(abs(self.far[other] - distance), 1)

    def test_is_symmetric(self):
        for n in range(0, SIZE, 8):
            corner = (n, SIZE - 1 - n)
            self.assertEqual(board.distances(corner, SIZE)[0, 0], self.far[corner])


class Tours(unittest.TestCase):
    def check(self, size):
        path = board.tour((0, 0), size)
        self.assertEqual(len(set(path)), len(path))
        for here, there in zip(path, path[1:]):
            self.assertIn(there, board.moves(here, size))


def test_of(size):
    return lambda self: self.check(size)


for size in range(6, 126, 4):
    setattr(Tours, f"test_board_of_{size}", test_of(size))


def tearDownModule():
    with open("truth", "w") as truth:
        wall = time.monotonic() - started
        truth.write(f"wall {wall:.2f}\ncpu {time.process_time() / wall:.3f}\n")
