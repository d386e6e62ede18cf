"""Reads scores of music in a small language of letters, and adds up how long each piece is."""
import re
import time

TOKEN = re.compile(r"(?P<note>[a-g]['#]?)(?P<length>\d*)|(?P<rest>r)(?P<pause>\d*)|(?P<bar>\|)|(?P<space>\s+)")


def write_score(number):
    notes = ["c4", "d#8", "e'8", "r4", "|", "g2", "a16", "b16", "f4", "|"]
    return " ".join(notes[(n * 7 + number) % 10] for n in range(3000))


def beats(score):
    total = 0.0
    for match in TOKEN.finditer(score):
        kind = match.lastgroup
        if kind == "length":
            total += 4 / int(match["length"] or 4)
        elif kind == "pause":
            total += 4 / int(match["pause"] or 4)
    return total


start = time.perf_counter()
scores = 0
length = 0.0
pieces = [write_score(number) for number in range(20)]
while time.perf_counter() < start + 2.0:
    length += beats(pieces[scores % 20])
    scores += 1
with open("lengths.txt", "w") as file:
    file.write(f"{scores} scores of {length / scores:.1f} beats\n")
