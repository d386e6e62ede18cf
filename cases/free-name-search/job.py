"""Saves attachments under the first free name: photo-0, photo-1 … each save probes all names before."""
import os
import time

PROBES = 0


def free_name(folder):
    global PROBES
    number = 0
    while os.path.exists(f"{folder}/photo-{number}.jpg"):
        number += 1
    PROBES += number + 1
    return f"{folder}/photo-{number}.jpg"


def save(folder, data):
    with open(free_name(folder), "wb") as photo:
        photo.write(data)


start, saved = time.monotonic(), 0
while time.monotonic() - start < 2:
    save("photos", b"jpeg")
    saved += 1
with open("truth", "w") as truth:
    truth.write(f"probes {PROBES}\nsaved {saved}\n")
