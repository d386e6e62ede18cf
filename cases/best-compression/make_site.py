"""Makes a site of 60 pages."""
import os
import random

random.seed(5)
words = ["".join(random.choices("etaoinshrdlu", k=random.randint(2, 9))) for _ in range(6000)]
for page in range(60):
    os.makedirs(f"site/part-{page % 8}", exist_ok=True)
    with open(f"site/part-{page % 8}/page-{page}.html", "w") as out:
        for _ in range(500):
            out.write("<p>" + " ".join(random.choices(words, k=16)) + "</p>\n")
