"""Corrects the towns of handwritten addresses."""
import difflib
import time

searching = 0.0
SYLLABLES = ("ber", "lin", "mun", "dorf", "hau", "sen", "ros", "tock", "wei", "mar", "kas", "sel", "ulm", "gos", "lar")


def town(number):
    return "".join(SYLLABLES[number * step % 15] for step in (1, 7, 11)) + SYLLABLES[number // 15 % 15] + SYLLABLES[number // 225 % 15]


def misspelt(name, number):
    at = number % (len(name) - 2)
    return name[:at] + name[at + 1] + name[at] + name[at + 2:]


def right_spelling(name, towns):
    global searching
    before = time.perf_counter()
    found = difflib.get_close_matches(name, towns, n=1)
    searching += time.perf_counter() - before
    return found[0] if found else name


towns = sorted({town(number) for number in range(1500)})
start = time.perf_counter()
letters = corrected = 0
while time.perf_counter() - start < 2:
    wrong = misspelt(towns[letters * 97 % len(towns)], letters)
    corrected += right_spelling(wrong, towns) != wrong
    letters += 1
wall = time.perf_counter() - start
with open("truth", "w") as truth:
    truth.write(f"share {searching / wall:.3f}\nletters {letters}\ncorrected {corrected}\n")
