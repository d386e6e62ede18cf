import random
rng = random.Random(12)
lines = [f"{i:06};article {i * 7919 % 100003};{rng.randrange(100, 9000)}\n" for i in range(19000)]
with open("old.csv", "w") as out:
    out.writelines(lines)
for i in rng.sample(range(len(lines)), 200):
    lines[i] = lines[i].rsplit(";", 1)[0] + f";{rng.randrange(100, 9000)}\n"
lines.sort(key=lambda line: line.split(";")[1])
with open("new.csv", "w") as out:
    out.writelines(lines)
