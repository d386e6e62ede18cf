"""Writes 1,500 letters of 9,000 words."""
import os

os.mkdir("letters")
words = [f"word{n * 7919 % 40009}" for n in range(40_000)]
for letter in range(1500):
    first = letter * 17 % 30_000
    with open(f"letters/{letter:04}.txt", "w") as file:
        file.write(" ".join(words[first:first + 9000]))
