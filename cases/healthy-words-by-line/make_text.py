"""A long text of invented words."""
import random

chance = random.Random(11)
syllables = ["ba", "ke", "lo", "mi", "ran", "tu", "so", "ved", "pel", "na"]
words = ["".join(chance.choices(syllables, k=chance.randint(1, 4))) for _ in range(9000)]
with open("novel.txt", "w") as text:
    for _ in range(260_000):
        text.write(" ".join(chance.choices(words, k=11)).capitalize() + ".\n")
