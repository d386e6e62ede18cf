"""Makes a poster of a picture: fewer colours, and a border. The picture is a file of grey values (PGM)."""
import time

import picture


def poster(source, levels, border):
    steps = picture.steps(levels)
    rows = [row.translate(steps) for row in source.rows()]
    blurred = [picture.blur(above, row, below) for above, row, below in zip(rows, rows[1:], rows[2:])]
    return picture.framed(blurred, border)


def main():
    picture.make("picture.pgm", 600, 400)
    start, posters = time.monotonic(), 0
    source = picture.read("picture.pgm")
    while time.monotonic() - start < 1.9:
        made = poster(source, 4 + posters % 5, 12)
        posters += 1
    picture.write("poster.pgm", made)
    wall = time.monotonic() - start
    with open("truth", "w") as truth:
        truth.write(f"posters {posters}\nms_per_poster {wall / posters * 1000:.1f}\ncpu {time.process_time() / wall:.2f}\n")


main()
