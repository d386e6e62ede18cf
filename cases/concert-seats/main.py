"""Seats of a concert hall, which are sold, given back and looked up in a set."""
import time


class Seat:
    __slots__ = ("row", "number")

    def __init__(self, row, number):
        self.row, self.number = row, number

    def __eq__(self, other):
        return self.row == other.row and self.number == other.number

    def __hash__(self):
        return self.row ^ self.number


def all_seats(rows, numbers):
    return [Seat(row, number) for row in range(rows) for number in range(numbers)]


def sell_all(seats):
    sold = set()
    for seat in seats:
        sold.add(seat)
    return sold


def main():
    seats = all_seats(64, 64)
    start, halls = time.monotonic(), 0
    while time.monotonic() - start < 2:
        assert len(sell_all(seats)) == len(seats)
        halls += 1
    each = (time.monotonic() - start) / halls
    by_pair = [(seat.row, seat.number) for seat in seats]
    before = time.monotonic()
    for _ in range(10):
        set(by_pair)
    pair = (time.monotonic() - before) / 10
    with open("truth", "w") as truth:
        truth.write(f"halls {halls}\nhash_values {len({hash(seat) for seat in seats})}\ntimes_slower_than_pairs {each / pair:.0f}\n")


main()
