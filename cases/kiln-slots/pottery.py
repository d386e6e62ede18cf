"""Plans the firings of a pottery: one process for each workshop, one model of the kiln."""
import multiprocessing
import time


def heat_curve(batch):
    """How warm each shelf gets."""
    end, shelves = time.perf_counter() + 0.03, [20.0] * 40
    while time.perf_counter() < end:
        for shelf in range(1, 39):
            shelves[shelf] += (shelves[shelf - 1] + shelves[shelf + 1] + batch % 9 - 2 * shelves[shelf]) * 0.2
    return max(shelves)


def plan_firing(kiln, batch):
    before = time.perf_counter()
    kiln.acquire()
    waited = time.perf_counter() - before
    try:
        return waited, heat_curve(batch)
    finally:
        kiln.release()


def work(kiln, workshop, results):
    start, waiting, batch = time.perf_counter(), 0.0, workshop
    while time.perf_counter() - start < 2:
        waited, warmest = plan_firing(kiln, batch)
        waiting += waited
        batch += sum(ord(letter) for letter in f"{warmest:.3f}") % 7 + 1
    results.put(waiting / (time.perf_counter() - start))


if __name__ == "__main__":
    context = multiprocessing.get_context("fork")
    kiln, results = context.Semaphore(1), context.Queue()
    workshops = [context.Process(target=work, args=(kiln, number, results)) for number in range(3)]
    for workshop in workshops:
        workshop.start()
    shares = [results.get() for _ in workshops]
    for workshop in workshops:
        workshop.join()
    with open("truth", "w") as truth:
        truth.write("".join(f"waited_{number} {share:.3f}\n" for number, share in enumerate(shares)))
