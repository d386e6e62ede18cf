"""Chooses versions of plug-ins that fit together, as an installer does before it downloads anything."""
import random
import sys
import time

from pip._vendor.packaging.specifiers import SpecifierSet
from pip._vendor.packaging.version import Version

spent = 0.0


def make_index(seed, packages=24, versions=40):
    rng = random.Random(seed)
    index = {}
    for p in range(packages):
        releases = {}
        for v in range(versions):
            needs = []
            for other in rng.sample(range(p + 1, packages), min(3, packages - p - 1)):
                low = rng.randrange(0, versions // 2)
                needs.append((f"plugin-{other}", f">=1.{low}.0,<1.{rng.randrange(low + 8, versions + 6)}.0,!=1.{rng.randrange(versions)}.0"))
            releases[f"1.{v}.0"] = needs
        index[f"plugin-{p}"] = releases
    return index


def candidates(index, name, wanted):
    """The versions of a plug-in that all its users accept, newest first."""
    global spent
    started = time.perf_counter()
    good = []
    for text in index[name]:
        if all(SpecifierSet(spec).contains(Version(text)) for spec in wanted):
            good.append(text)
    good.sort(key=Version, reverse=True)
    spent += time.perf_counter() - started
    return good


def resolve(index, root):
    """Goes through the plug-ins in the order of their use; gives up one version for the next if nothing fits."""
    wanted = {root: [">=1.0.0"]}
    chosen = {}
    todo = [root]
    while todo:
        name = min(todo, key=lambda n: int(n.split("-")[1]))
        todo.remove(name)
        good = candidates(index, name, wanted[name])
        if not good:
            return None
        chosen[name] = good[0]
        for other, spec in index[name][good[0]]:
            wanted.setdefault(other, []).append(spec)
            if other not in todo and other not in chosen:
                todo.append(other)
    return chosen


def main():
    started = time.perf_counter()
    seed = solved = 0
    while time.perf_counter() - started < 2.0:
        index = make_index(seed)
        if resolve(index, "plugin-0"):
            solved += 1
        seed += 1
    total = time.perf_counter() - started
    with open("measured", "w") as out:
        out.write(f"share {spent / total:.3f}\n")
    print(solved, "of", seed, "sets can be installed")


sys.exit(main())
