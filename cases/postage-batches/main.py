"""Works out the postage of letters, a batch at a time, on all CPUs."""
import multiprocessing
import time
from concurrent.futures import ProcessPoolExecutor

working = 0.0


def postage(letter):
    grams, country = letter
    return 95 + grams // 20 * 15 + (40 if country != "DE" else 0)


def read_batch(number):
    return [(10 + (number * 31 + n * 17) % 480, ("DE", "FR", "NO")[n % 3]) for n in range(200)]


def stamp_batch(letters):
    global working
    before = time.perf_counter()
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max_workers=2, mp_context=context) as pool:
        cents = sum(pool.map(postage, letters, chunksize=100))
    working += time.perf_counter() - before
    return cents


def main():
    start = time.perf_counter()
    batches = cents = 0
    while time.perf_counter() - start < 2.0:
        cents += stamp_batch(read_batch(batches))
        batches += 1
    wall = time.perf_counter() - start
    with open("truth", "w") as f:
        f.write(f"stamping {working / wall:.3f}\nbatches {batches}\ncents {cents}\n")


if __name__ == "__main__":
    main()
