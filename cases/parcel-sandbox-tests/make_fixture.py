import os
import random

random.seed(4)
for carrier in range(10):
    folder = f"fixture/carriers/c{carrier:02}"
    os.makedirs(folder)
    for zone in range(20):
        with open(f"{folder}/zone{zone:02}.csv", "w") as f:
            for weight in range(20):
                f.write(f"{weight};{random.randint(300, 2900)}\n")
