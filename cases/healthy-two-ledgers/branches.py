"""Closes the books of two branches at once; both write into the same ledger."""
import fcntl
import multiprocessing
import time


def balance(branch, day):
    sum_of_day = 0
    for booking in range(60_000):
        sum_of_day = (sum_of_day * 31 + booking * branch + day) % 1_000_003
    return sum_of_day


def append_line(line):
    before = time.perf_counter()
    with open("ledger.csv", "a") as ledger:
        fcntl.flock(ledger, fcntl.LOCK_EX)
        waited = time.perf_counter() - before
        ledger.write(line)
    return waited


def close_books(branch, results):
    start, waited, day = time.perf_counter(), 0.0, 0
    while time.perf_counter() - start < 2:
        waited += append_line(f"{branch};{day};{balance(branch, day)}\n")
        day += 1
    results.put(waited / (time.perf_counter() - start))


if __name__ == "__main__":
    context = multiprocessing.get_context("fork")
    results = context.Queue()
    branches = [context.Process(target=close_books, args=(number, results)) for number in (1, 2)]
    for branch in branches:
        branch.start()
    shares = [results.get() for _ in branches]
    for branch in branches:
        branch.join()
    with open("truth", "w") as truth:
        truth.write("".join(f"waited_{number} {share:.4f}\n" for number, share in enumerate(shares)))
