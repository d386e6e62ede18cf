"""A wall of photos: each one stays open for a moment, in case that somebody wants to see it larger."""
import collections
import errno
import os
import resource
import threading
import time

shown = collections.deque()
slept = 0.0


def open_photo(name):
    global slept
    while True:
        try:
            return open(name, "rb")
        except OSError as error:
            if error.errno != errno.EMFILE:
                raise
            before = time.perf_counter()
            time.sleep(0.05)
            slept += time.perf_counter() - before


def close_old_photos():
    while True:
        while shown and shown[0][0] < time.perf_counter() - 0.8:
            shown.popleft()[1].close()
        time.sleep(0.1)


def show(number):
    photo = open_photo(f"photo-{number % 10}.raw")
    shown.append((time.perf_counter(), photo))
    return max(photo.read())


for number in range(10):
    with open(f"photo-{number}.raw", "wb") as photo:
        photo.write(bytes(x * (number + 3) % 251 for x in range(5000)))
resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40))
threading.Thread(target=close_old_photos, daemon=True).start()
start, photos = time.perf_counter(), 0
while time.perf_counter() - start < 2.5:
    show(photos)
    photos += 1
wall = time.perf_counter() - start
while shown:
    shown.popleft()[1].close()
with open("truth", "w") as truth:
    truth.write(f"share {slept / wall:.3f}\nphotos {photos}\n")
os._exit(0)
