"""Estimates the odds of a village raffle by drawing it many times."""
import random
import time
from collections import Counter

DRAW = random.SystemRandom()
PRIZES = ["ham", "bicycle", "wine", "basket"]


def ticket(sold):
    return DRAW.getrandbits(32) % sold


def draw_raffle(sold, mine):
    """One evening: which prizes do the first tickets win?"""
    won = []
    for prize in PRIZES:
        if ticket(sold) < mine:
            won.append(prize)
    return tuple(won)


def main():
    results = Counter()
    start = time.monotonic()
    while time.monotonic() - start < 2.0:
        for _ in range(2000):
            results[draw_raffle(1500, 12)] += 1
    total = sum(results.values())
    for won, times in results.most_common(6):
        print(f"{' and '.join(won) or 'nothing':<24} {times / total:8.4%}")
    print(total, "evenings")


if __name__ == "__main__":
    main()
