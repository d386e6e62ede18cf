"""A pizzeria: the baker puts trays into an oven (a thread), and waits for its gong before he takes them out."""
import queue
import threading
import time


class Oven:
    def __init__(self):
        self.trays = queue.Queue()
        self.gong = threading.Condition()
        self.baked = 0
        threading.Thread(target=self.bake, name="oven", daemon=True).start()

    def bake(self):
        while True:
            tray = self.trays.get()
            with self.gong:
                self.baked += len(tray)
                self.gong.notify_all()


class Baker:
    def __init__(self, oven):
        self.oven = oven
        self.waited = 0.0

    def knead(self, number):
        return [f"pizza {number}-{n}" for n in range(6)]

    def wait_for_gong(self):
        before = time.perf_counter()
        with self.oven.gong:
            self.oven.gong.wait(timeout=0.2)
        self.waited += time.perf_counter() - before

    def bake_tray(self, number):
        self.oven.trays.put(self.knead(number))
        time.sleep(0.002)  # closes the door
        self.wait_for_gong()


start = time.perf_counter()
baker = Baker(Oven())
trays = 0
while time.perf_counter() - start < 2.0:
    baker.bake_tray(trays)
    trays += 1
wall = time.perf_counter() - start
with open("truth", "w") as f:
    f.write(f"share {baker.waited / wall:.3f}\ntrays {trays}\npizzas {baker.oven.baked}\n")
