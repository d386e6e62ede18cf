"""Counts the words of a cookery book. The counts are in a shared dictionary, so that other processes could help."""
import multiprocessing
import time

TEXT = ("strawberry raspberry currant gooseberry blackberry sugar lemon vanilla boil stir jar lid label cellar "
        "pound spoon kettle cloth").split()
asking = 0.0


def read_recipe(number):
    return [TEXT[(number * 7 + n * n) % len(TEXT)] for n in range(60)]


def count_words(words, counts):
    global asking
    before = time.perf_counter()
    for word in words:
        counts[word] = counts.get(word, 0) + 1
    asking += time.perf_counter() - before


if __name__ == "__main__":
    with multiprocessing.Manager() as manager:
        counts = manager.dict()
        start = time.perf_counter()
        recipes = 0
        while time.perf_counter() - start < 2.0:
            count_words(read_recipe(recipes), counts)
            recipes += 1
        wall = time.perf_counter() - start
        total = sum(counts.values())
    with open("truth", "w") as f:
        f.write(f"counting {asking / wall:.3f}\nrecipes {recipes}\nwords {total}\n")
