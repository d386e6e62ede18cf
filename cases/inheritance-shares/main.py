"""Inheritances are divided into exact fractions. The shares of all heirs are added up to see whether one is left; the
denominator of the sum grows with each heir, and so does the cost of adding the next one."""
import time
from fractions import Fraction


def share_of(heir):
    return Fraction(1, (2 * heir + 3) ** 3)


def add_share(total, heir):
    return total + share_of(heir)


def divide_estate(heirs):
    total = Fraction(0)
    for heir in range(heirs):
        total = add_share(total, heir)
    return total


def main():
    start = time.monotonic()
    estates = 0
    size = 0
    seconds = {}
    while time.monotonic() - start < 2:
        for heirs in (350, 700):
            before = time.monotonic()
            size = divide_estate(heirs).denominator.bit_length()
            seconds[heirs] = min(seconds.get(heirs, 9), time.monotonic() - before)
        estates += 1
    with open("truth", "w") as truth:
        truth.write(f"estates {estates}\nbits_of_denominator {size}\n"
                    f"cost_of_twice_as_many {seconds[700] / seconds[350]:.1f}\n")


main()
