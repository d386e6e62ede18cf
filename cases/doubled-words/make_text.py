import random
rng = random.Random(5)
syllables = ["ba", "de", "ki", "lo", "mu", "ra", "si", "to", "ven", "zar"]
with open("manual.txt", "w") as out:
    for i in range(20000):
        out.write(" ".join("".join(rng.choices(syllables, k=rng.randint(1, 4))) for _ in range(14)) + "\n")
