"""Writes the poems, forty files."""
import os

WORDS = ["moon", "night", "bright", "tree", "sea", "heart", "part", "stone", "alone", "song", "long", "light", "soon", "free"]
os.mkdir("poems")
for poem in range(40):
    with open(f"poems/poem-{poem:02}.txt", "w") as f:
        for line in range(2500):
            f.write(" ".join(WORDS[(poem * 3 + line * 5 + n * n) % len(WORDS)] for n in range(7)) + "\n")
