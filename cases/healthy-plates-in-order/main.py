# Adds up what a catalogue says of each star, from the first to the last.
import os
import time

catalogue = os.open("stars.cat", os.O_RDONLY)
os.posix_fadvise(catalogue, 0, 0, os.POSIX_FADV_DONTNEED)
start, reading, brightness = time.monotonic(), 0.0, 0

def next_plate():
    global reading
    before = time.monotonic()
    plate = os.read(catalogue, 1 << 20)
    reading += time.monotonic() - before
    return plate

while plate := next_plate():
    brightness += sum(plate[::8])
with open("truth", "w") as truth:
    wall = time.monotonic() - start
    truth.write(f"wall {wall:.3f}\nreading {reading / wall:.3f}\nbrightness {brightness}\n")
