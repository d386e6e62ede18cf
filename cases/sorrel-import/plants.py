"""The observations of a botanical survey, as CSV."""
import random

random.seed(23)
kinds = ["sorrel", "yarrow", "clover", "plantain", "campion", "bedstraw"]
with open("plants.csv", "w") as f:
    for n in range(620000):
        f.write(f"{n},{kinds[n * 7 % 6]},{random.randint(1, 9000)},{random.random():.5f},{n % 365}\n")
