"""Four helpers, each a process, count ballots; the list of results is behind a lock, and is printed inside of it."""
import multiprocessing
import time

PRINTING = 0.012


def print_list(results):
    """The printer takes a while."""
    time.sleep(PRINTING)
    return sum(results)


def enter_result(lock, results, helper, ballots):
    before = time.monotonic()
    with lock:
        waited = time.monotonic() - before
        results[helper] += ballots
        print_list(results)
    return waited


def count_box(seed):
    return sum(seed * n % 7 == 0 for n in range(3_000))


def help_counting(lock, results, waits, helper, until):
    box = helper
    while time.monotonic() < until:
        waits[helper] += enter_result(lock, results, helper, count_box(box))
        box += 4


def main():
    context = multiprocessing.get_context("fork")
    lock = context.Lock()
    results, waits = context.Array("l", 4, lock=False), context.Array("d", 4, lock=False)
    start = time.monotonic()
    helpers = [context.Process(target=help_counting, args=(lock, results, waits, n, start + 2)) for n in range(4)]
    for helper in helpers:
        helper.start()
    for helper in helpers:
        helper.join()
    took = time.monotonic() - start
    with open("truth", "w") as truth:
        truth.write(f"waiting_per_helper {sum(waits) / 4 / took:.3f}\nballots {sum(results)}\n")


main()
