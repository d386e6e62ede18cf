"""An attic of small files, and the list of patterns that a backup leaves out, as it has grown over the years."""
import os

for folder in range(40):
    os.makedirs(f"attic/box{folder:02d}/papers")
    for n in range(40):
        with open(f"attic/box{folder:02d}/papers/letter-{folder:02d}-{n:03d}.txt", "w") as out:
            out.write(f"letter {n} of box {folder}\n")
with open("leave-out.list", "w") as out:
    for n in range(1500):
        out.write(f"*/box*/old-{n:04d}-*.bak\n")
        out.write(f"project{n:04d}*/build/*.o\n")
