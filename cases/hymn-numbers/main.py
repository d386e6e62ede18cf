"""Puts together the songs of a service. The hymn book is a file with one hymn per line."""
import os
import time

BOOK = "hymns.txt"


def print_book():
    with open(BOOK, "w") as book:
        for number in range(30_000):
            book.write(f"{number} A hymn with {number % 7 + 2} verses\n")


def hymn(number):
    with open(BOOK) as book:
        return book.readlines()[number]


def plan_service(sunday):
    return [hymn((sunday * 31 + n * 7) % 30_000) for n in range(5)]


def main():
    print_book()
    start, services, looked_up = time.monotonic(), 0, 0.0
    while time.monotonic() - start < 2:
        before = time.monotonic()
        assert len(plan_service(services)) == 5
        looked_up += time.monotonic() - before
        services += 1
    took = time.monotonic() - start
    os.remove(BOOK)
    with open("truth", "w") as truth:
        truth.write(f"looking_up {looked_up / took:.3f}\nservices {services}\n")


main()
