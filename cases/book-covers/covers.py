"""Serves the shop window of a book shop: pages that show the covers of the season's sixty books in their order."""
import time
from functools import lru_cache

BOOKS = [f"978-3-16-{148400 + number}-0" for number in range(60)]
WIDTH, HEIGHT = 60, 84


@lru_cache(maxsize=48)
def render_cover(isbn):
    seed = int(isbn.replace("-", "")) % 9973
    rows = []
    for y in range(HEIGHT):
        row = bytearray(WIDTH)
        for x in range(WIDTH):
            row[x] = (x * x + y * seed + (x ^ y) * 3) % 251
        rows.append(bytes(row))
    return b"".join(rows)


def page(first):
    return [render_cover(BOOKS[(first + n) % len(BOOKS)]) for n in range(6)]


def main():
    start = time.perf_counter()
    pages = size = 0
    while time.perf_counter() - start < 2.0:
        size += sum(len(cover) for cover in page(pages * 6))
        pages += 1
    took = render_cover.cache_info()
    with open("truth", "w") as truth:
        truth.write(f"pages {pages}\nhits {took.hits}\nmisses {took.misses}\n")


main()
