import os, random
rng = random.Random(8)
words = [bytes(rng.choices(b"abcdefghijklmnop", k=rng.randrange(3, 9))) for _ in range(3000)]
os.mkdir("home")
for i in range(38):
    with open(f"home/notes-{i:02d}.txt", "wb") as out:
        for _ in range(24000):
            out.write(b" ".join(rng.choices(words, k=14)) + b"\n")
