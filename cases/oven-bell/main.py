"""A bakery: the baker waits for the bell of the oven, and takes the bread out."""
import threading
import time


class Oven:
    def __init__(self):
        self.bell = threading.Condition()
        self.waited_in_vain = 0.0

    def bake(self, loaf):
        """Bakes in a thread of the oven, and rings once."""
        with self.bell:
            sum(range(loaf % 500))
            self.bell.notify_all()

    def await_bell(self):
        before = time.monotonic()
        with self.bell:
            if not self.bell.wait(timeout=0.12):
                self.waited_in_vain += time.monotonic() - before


def run_oven(oven, orders):
    while True:
        orders.acquire()
        if oven is None or oven.closed:
            return
        oven.bake(oven.loaf)
        oven.ready.release()


def bake_bread(oven, loaf, orders):
    oven.loaf = loaf
    orders.release()
    oven.ready.acquire()  # the order has been taken
    oven.await_bell()


def main():
    oven, orders = Oven(), threading.Semaphore(0)
    oven.closed, oven.ready, oven.loaf = False, threading.Semaphore(0), 0
    thread = threading.Thread(target=run_oven, args=(oven, orders), name="oven")
    thread.start()
    start, loaves = time.monotonic(), 0
    while time.monotonic() - start < 2:
        bake_bread(oven, loaves, orders)
        loaves += 1
    took = time.monotonic() - start
    oven.closed = True
    orders.release()
    thread.join()
    with open("truth", "w") as truth:
        truth.write(f"share {oven.waited_in_vain / took:.3f}\nloaves {loaves}\n")


main()
