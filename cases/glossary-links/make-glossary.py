"""Writes a handbook and the sed rules that link its terms to the glossary."""
import random

rng = random.Random(3)
syllables = "ba be bi bo bu da de di do du ka ke ki ko ku la le li lo lu ma me mi mo mu na ne ni no nu".split()
words = sorted({"".join(rng.choice(syllables) for _ in range(rng.randint(2, 4))) for _ in range(3000)})
terms = rng.sample(words, 500)
with open("links.sed", "w") as out:
    for term in terms:
        out.write(f"s|\\b{term}\\b|<a href=\"#{term}\">{term}</a>|gI\n")
for chapter in range(40):
    with open(f"chapter{chapter:02d}.html", "w") as out:
        for _ in range(110):
            out.write("<p>" + " ".join(rng.choice(words) for _ in range(14)) + "</p>\n")
