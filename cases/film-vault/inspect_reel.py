"""Inspects a film reel: looks for damage of each known kind. Keeps the memory of the machine free for others."""
import os
import time

MARKS = {
    "scratch": b"\xff\x00\xff\x00\xff\x00\xff",
    "dust": b"\x10\x10\x10\x10\x10\x10\x10",
    "splice": b"SPLICE!",
    "leader": b"LEADER!",
    "burn": b"\xfe\xfe\xfe\xfe\xfe\xfe\xfe",
    "tear": b"TEAR-TEAR",
    "mould": b"\x7f\x7f\x7f\x7f\x7f\x7f\x7f",
    "end": b"THE END",
}
BLOCK = 1 << 20


class Reel:
    def __init__(self, path):
        self.path = path
        self.reading = 0.0
        self.bytes = 0

    def blocks(self):
        """Yields the reel block by block and gives the memory back afterwards."""
        film = os.open(self.path, os.O_RDONLY)
        try:
            while block := self.read_block(film):
                yield block
            os.posix_fadvise(film, 0, 0, os.POSIX_FADV_DONTNEED)
        finally:
            os.close(film)

    def read_block(self, film):
        before = time.monotonic()
        block = os.read(film, BLOCK)
        self.reading += time.monotonic() - before
        self.bytes += len(block)
        return block

    def first(self, mark):
        """Where the mark is first seen in the heads of the blocks."""
        for number, block in enumerate(self.blocks()):
            if block.startswith(mark, 0) or mark in block[:4096]:
                return number
        return None


def main():
    reel = Reel("reel.mxf")
    start = time.monotonic()
    report = {kind: reel.first(mark) for kind, mark in MARKS.items()}
    wall = time.monotonic() - start
    with open("report.txt", "w") as out:
        for kind, number in report.items():
            out.write(f"{kind}: {'none' if number is None else f'block {number}'}\n")
    with open("truth", "w") as truth:
        truth.write(f"share_of_main {reel.reading / wall:.3f}\nseconds {wall:.3f}\nmegabytes {reel.bytes >> 20}\n")


main()
