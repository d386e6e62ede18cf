"""The programme of a choir festival: the songs of all choirs in one list."""
import time


def songs_of(choir):
    return [(choir, song, (choir * 31 + song * 7) % 240) for song in range(12)]


def all_songs(choirs):
    return sum((songs_of(choir) for choir in range(choirs)), [])


def print_programme(choirs):
    minutes = 0
    for _choir, _song, length in all_songs(choirs):
        minutes += length
    return minutes


def main():
    start, printed = time.monotonic(), 0
    while time.monotonic() - start < 2:
        print_programme(2_400)
        printed += 1
    each = (time.monotonic() - start) / printed
    before = time.monotonic()
    for _ in range(10):
        print_programme(240)
    tenth = (time.monotonic() - before) / 10
    with open("truth", "w") as truth:
        truth.write(f"printed {printed}\nms_each {each * 1e3:.2f}\nms_with_a_tenth {tenth * 1e3:.2f}\n")


main()
