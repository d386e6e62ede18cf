"""Prints what a bicycle costs: each part consists of parts, down to screws and wire."""
import time

spent = 0.0


class Part:
    def __init__(self, name, work, needs):
        self.name = name
        self.work = work
        self.needs = needs


def make_catalogue(depth):
    """Each assembly needs the two assemblies below it, some of them twice."""
    catalogue = {"level-0": Part("level-0", 1, []), "level-1": Part("level-1", 2, [("level-0", 4)])}
    for level in range(2, depth):
        needs = [(f"level-{level - 1}", 1), (f"level-{level - 2}", 2)]
        catalogue[f"level-{level}"] = Part(f"level-{level}", level, needs)
    return catalogue


def part_cost(catalogue, name):
    part = catalogue[name]
    cost = part.work
    for other, amount in part.needs:
        cost += amount * part_cost(catalogue, other)
    return cost


def price_with_margin(catalogue, name):
    global spent
    before = time.monotonic()
    cost = part_cost(catalogue, name)
    spent += time.monotonic() - before
    return cost * 107 // 100


def price_list(catalogue, names):
    return "\n".join(f"{name:<20} {price_with_margin(catalogue, name):>16}" for name in names)


def main():
    catalogue = make_catalogue(24)
    start = time.monotonic()
    lists = 0
    with open("prices.txt", "w") as prices:
        while time.monotonic() - start < 2:
            for level in range(12, 22):
                prices.write(price_list(catalogue, [f"level-{level}"]) + "\n")
            lists += 1
    all_time = time.monotonic() - start
    with open("truth", "w") as truth:
        truth.write(f"part_cost {spent / all_time:.3f}\nlists {lists}\n")


main()
