"""Which words rhyme most often in a collection of poems?"""
import collections
import os
import time


def read_poems(folder):
    """Reads each poem once."""
    poems = {}
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name)) as f:
            poems[name] = f.read().splitlines()
    return poems


def sound(word):
    """The part of a word that has to sound alike: from its last vowel group on."""
    end = len(word)
    while end > 0 and word[end - 1] not in "aeiou":
        end -= 1
    start = end
    while start > 0 and word[start - 1] in "aeiou":
        start -= 1
    return word[start:]


def rhymes_of(lines):
    rhymes = collections.Counter()
    for first, second in zip(lines, lines[1:]):
        for left in first.split():
            for right in second.split()[-2:]:
                if left != right and sound(left) == sound(right):
                    rhymes[min(left, right), max(left, right)] += 1
    return rhymes


def main():
    start = time.monotonic()
    poems = read_poems("poems")
    read = time.monotonic()
    total = collections.Counter()
    names = list(poems)
    done = 0
    while time.monotonic() - read < 2.2:
        total.update(rhymes_of(poems[names[done % len(names)]]))
        done += 1
    with open("rhymes.txt", "w") as out:
        for (left, right), count in total.most_common(20):
            out.write(f"{left} {right} {count}\n")
    with open("truth", "w") as truth:
        truth.write(f"seconds_reading {read - start:.3f}\nseconds_counting {time.monotonic() - read:.3f}\npoems {done}\n")


main()
