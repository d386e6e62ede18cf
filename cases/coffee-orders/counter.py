"""The counter of a coffee bar: a thread drives the machine, a coroutine serves the guests."""
import asyncio
import queue
import threading
import time


class Machine:
    def __init__(self):
        self.orders = queue.Queue()
        self.done = {}
        threading.Thread(target=self.brew, daemon=True).start()

    def brew(self):
        while True:
            number = self.orders.get()
            end = time.perf_counter() + 0.01
            pressure = 0
            while time.perf_counter() < end:
                pressure = (pressure * 31 + number) % 1013
            self.done[number] = time.perf_counter()


machine = Machine()
unseen = 0.0


async def take_order(number):
    machine.orders.put(number)
    while number not in machine.done:
        await asyncio.sleep(0.1)
    return time.perf_counter() - machine.done.pop(number)


async def serve():
    global unseen
    start, number = time.perf_counter(), 0
    while time.perf_counter() - start < 2:
        unseen += await take_order(number)
        number += 1
    wall = time.perf_counter() - start
    with open("truth", "w") as truth:
        truth.write(f"unseen {unseen / wall:.3f}\ncoffees {number}\n")


asyncio.run(serve())
