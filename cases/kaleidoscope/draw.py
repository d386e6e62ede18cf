"""Draws the pictures of a kaleidoscope, four tiles of each at the same time."""
import math
import time
from concurrent.futures import ThreadPoolExecutor

SIZE = 48
TILES = [(0, 0), (SIZE, 0), (0, SIZE), (SIZE, SIZE)]


def color(x, y, turn):
    angle = math.atan2(y, x) + turn
    folded = abs(angle % (math.pi / 3) - math.pi / 6)
    radius = math.hypot(x, y)
    return int(128 + 127 * math.sin(radius / 5 + folded * 9)) & 255


def draw_tile(left, top, turn):
    pixels = bytearray()
    for y in range(top, top + SIZE):
        for x in range(left, left + SIZE):
            pixels.append(color(x - SIZE, y - SIZE, turn))
    return pixels


def draw_picture(pool, number):
    turn = number * 0.05
    tiles = [pool.submit(draw_tile, left, top, turn) for left, top in TILES]
    return b"".join(bytes(tile.result()) for tile in tiles)


def main():
    start = time.perf_counter()
    pictures = 0
    with ThreadPoolExecutor(4, thread_name_prefix="tile") as pool:
        while time.perf_counter() - start < 2.0:
            picture = draw_picture(pool, pictures)
            pictures += 1
    print(pictures, "pictures of", len(picture), "bytes")


main()
