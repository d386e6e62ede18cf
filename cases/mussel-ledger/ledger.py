"""The deliveries of a season of mussel farming, as SQL in one transaction."""
import random

random.seed(5)
with open("deliveries.sql", "w") as f:
    f.write("begin;\n")
    for n in range(5600):
        f.write(f"insert into deliveries (farm, day, kilos) values ({n * 7 % 3}, {n // 20}, {random.randint(80, 900)});\n")
    f.write("commit;\n")
