"""Answers each word with a word that rhymes, the best of a dictionary."""
import sys

DICTIONARY = ["".join(chr(97 + (n * k + k) % 26) for k in range(3, 9)) for n in range(18_000)]


def likeness(word, other):
    alike = 0
    for a, b in zip(reversed(word), reversed(other)):
        if a != b:
            break
        alike += 1
    return alike


def best_rhyme(word):
    return max(DICTIONARY, key=lambda other: likeness(word, other))


for line in sys.stdin:
    print(best_rhyme(line.strip()), flush=True)
