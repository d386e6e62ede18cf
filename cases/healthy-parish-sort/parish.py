"""Gives the entries of parish books to sort(1), which orders them by name, and reads back what it wrote."""
import random
import subprocess

random.seed(5)
NAMES = ["Aas", "Berg", "Dahl", "Eide", "Foss", "Hagen", "Lund", "Moe", "Nes", "Solberg", "Vik"]
with open("entries.txt", "w") as file:
    for n in range(700000):
        file.write(f"{random.choice(NAMES)};{random.randrange(1650, 1900)};{n}\n")
subprocess.run(["sort", "-t", ";", "-k", "1,1", "-k", "2,2n", "--parallel=1", "-o", "sorted.txt", "entries.txt"], check=True)
last = None
families = 0
with open("sorted.txt") as file:
    for line in file:
        name = line.split(";", 1)[0]
        families += name != last
        last = name
with open("families.txt", "w") as file:
    file.write(f"{families}\n")
