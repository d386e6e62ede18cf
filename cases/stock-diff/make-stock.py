"""Two nightly dumps of a stock, of mostly the same articles; the second has them in another order."""
import random

rng = random.Random(5)
for shelf in range(8):
    lines = [f"{rng.randrange(10**9):09d};shelf {shelf};article {n};{n % 40} pieces\n" for n in range(9000)]
    open(f"yesterday-{shelf}.csv", "w").writelines(lines)
    rng.shuffle(lines)
    open(f"today-{shelf}.csv", "w").writelines(lines)
