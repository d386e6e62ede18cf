"""Four meters send readings, and each waits for its receipt. The store likes batches of fifty."""
import queue
import threading
import time

BATCH, PATIENCE = 50, 0.09


class Store:
    def __init__(self):
        self.waiting = queue.Queue()
        self.rows = []
        self.in_vain = 0.0

    def submit(self, meter, reading):
        receipt = threading.Event()
        self.waiting.put((meter, reading, receipt))
        receipt.wait()

    def collect_batch(self):
        batch = [self.waiting.get()]
        while len(batch) < BATCH and batch[-1] is not None:
            before = time.perf_counter()
            try:
                batch.append(self.waiting.get(timeout=PATIENCE))
            except queue.Empty:
                self.in_vain += time.perf_counter() - before
                break
        return batch

    def store_readings(self):
        batches = 0
        while None not in (batch := self.collect_batch()):
            for meter, reading, receipt in batch:
                self.rows.append(f"{meter};{reading}\n")
                receipt.set()
            batches += 1
        return batches


def read_meter(store, meter, until):
    reading = 0
    while time.perf_counter() < until:
        reading += meter + 1
        store.submit(meter, reading)


def main():
    store = Store()
    start = time.perf_counter()
    meters = [threading.Thread(target=read_meter, args=(store, meter, start + 2)) for meter in range(4)]
    keeper = threading.Thread(target=store.store_readings)
    for thread in [*meters, keeper]:
        thread.start()
    for meter in meters:
        meter.join()
    wall = time.perf_counter() - start
    store.waiting.put(None)
    keeper.join()
    with open("readings.csv", "w") as out:
        out.writelines(store.rows)
    with open("truth", "w") as truth:
        truth.write(f"waited_in_vain {store.in_vain / wall:.3f}\nreadings {len(store.rows)}\n")


main()
