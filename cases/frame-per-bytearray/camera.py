"""Watches a gate: each picture of the camera is looked at in a few places."""
import resource
import time

SIZE = 48 * 1024 * 1024


def grab_picture(number):
    picture = bytearray(SIZE)
    for column in range(0, 4096, 64):
        picture[number % 4096 * 4096 + column] = 200
    return picture


def is_open(picture, number):
    line = picture[number % 4096 * 4096:number % 4096 * 4096 + 4096]
    return sum(line) > 12_000


def main():
    faults = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    grabbing, pictures, opened = 0.0, 0, 0
    start = time.perf_counter()
    while time.perf_counter() - start < 2:
        before = time.perf_counter()
        picture = grab_picture(pictures)
        grabbing += time.perf_counter() - before
        opened += is_open(picture, pictures)
        before = time.perf_counter()
        del picture
        grabbing += time.perf_counter() - before
        pictures += 1
    wall = time.perf_counter() - start
    usage = resource.getrusage(resource.RUSAGE_SELF)
    with open("truth", "w") as truth:
        truth.write(f"buffers {grabbing / wall:.3f}\nsystem {usage.ru_stime / wall:.3f}\npictures {pictures}\n"
                    f"faults_per_picture {(usage.ru_minflt - faults) / pictures:.0f}\nopened {opened}\n")


main()
