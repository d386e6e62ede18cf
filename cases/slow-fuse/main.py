"""Reads the same small note again and again; it lies on a file system that a slow program serves."""
import time


def read_note():
    with open("notes/note.txt") as note:
        return note.read()


start, reads, reading = time.monotonic(), 0, 0.0
while time.monotonic() - start < 2:
    before = time.monotonic()
    read_note()
    reading += time.monotonic() - before
    reads += 1
with open("truth", "w") as truth:
    truth.write(f"reads {reads}\nms_per_read {1000 * reading / reads:.1f}\n")
