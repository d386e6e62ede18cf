"""How many ways are there to give change with the coins of a country? Prints the table for a museum's poster."""
import time
from functools import lru_cache

COINS = {"euro": (1, 2, 5, 10, 20, 50, 100, 200), "pound": (1, 2, 5, 10, 20, 50, 100, 200, 500),
         "dollar": (1, 5, 10, 25, 50, 100), "mark": (1, 2, 5, 10, 50, 100, 200, 500)}


def table(coins, highest):
    ways = [1] + [0] * highest
    for coin in coins:
        for cents in range(coin, highest + 1):
            ways[cents] += ways[cents - coin]
    return ways


@lru_cache(maxsize=None)
def table_of(country, highest):
    return table(COINS[country], highest)


def line(country, cents, highest):
    return f"{country} {cents / 100:.2f}: {table_of(country, highest)[cents]} ways"


def main():
    start = time.perf_counter()
    lines = []
    highest = 40_000
    while time.perf_counter() - start < 2.0:
        highest += 10_000
        for country in COINS:
            lines += [line(country, cents, highest) for cents in range(highest // 2, highest, 997)]
    with open("poster.txt", "w") as out:
        out.write("\n".join(lines) + "\n")


main()
