"""Plans the picking of an orchard: the trees stay in memory, and short plans are made and compared."""
import gc
import random
import time
from collections import Counter

spent = {"guard": 0.0}


class Tree:
    def __init__(self, row, place):
        self.row = row
        self.place = place
        self.neighbours = []
        self.harvest = {"kg": random.random() * 40, "sort": random.choice("ABCD")}


class LeakGuard:
    """Compares the numbers of objects before and after a plan (for the small machine in the barn)."""

    def __init__(self):
        self.grown = Counter()

    def count_objects(self):
        return Counter(type(thing).__name__ for thing in gc.get_objects())

    def __enter__(self):
        start = time.perf_counter()
        self.before = self.count_objects()
        spent["guard"] += time.perf_counter() - start

    def __exit__(self, *error):
        start = time.perf_counter()
        self.grown = self.count_objects() - self.before
        spent["guard"] += time.perf_counter() - start


def plant(rows, places):
    grid = [[Tree(r, p) for p in range(places)] for r in range(rows)]
    for r in range(rows):
        for p in range(places):
            for dr, dp in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                if 0 <= r + dr < rows and 0 <= p + dp < places:
                    grid[r][p].neighbours.append(grid[r + dr][p + dp])
    return grid


def walk(grid, length):
    tree = random.choice(random.choice(grid))
    plan = []
    for step in range(length):
        plan.append((step, tree, tree.harvest["kg"]))
        tree = max(random.sample(tree.neighbours, 2), key=lambda t: t.harvest["kg"])
    return plan


def main():
    random.seed(8)
    grid = plant(70, 70)
    guard = LeakGuard()
    start = time.perf_counter()
    best, tried = 0, 0
    while time.perf_counter() - start < 2:
        with guard:
            plan = walk(grid, 400)
            best = max(best, sum(kg for _, _, kg in plan))
        tried += 1
    print(tried, "plans, best", round(best), "kg")
    with open("truth", "w") as f:
        f.write(f"share {spent['guard'] / (time.perf_counter() - start):.2f}\nplans {tried}\n")


main()
