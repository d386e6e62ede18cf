"""A shuttle bus: passengers come to the stop, and the bus, another coroutine, takes each to the airport."""
import asyncio
import time


class Stop:
    def __init__(self):
        self.waiting, self.arrived, self.idle = [], {}, 0.0


async def drive(stop):
    while True:
        if stop.waiting:
            passenger = stop.waiting.pop(0)
            stop.arrived[passenger] = sum(range(passenger % 900))
        else:
            before = time.monotonic()
            await asyncio.sleep(0.05)
            stop.idle += time.monotonic() - before


async def travel(stop, passenger):
    stop.waiting.append(passenger)
    while passenger not in stop.arrived:
        await asyncio.sleep(0.05)
    return stop.arrived.pop(passenger)


async def main():
    stop = Stop()
    bus = asyncio.create_task(drive(stop))
    start, passengers, waited = time.monotonic(), 0, 0.0
    while time.monotonic() - start < 2:
        before = time.monotonic()
        await travel(stop, passengers)
        waited += time.monotonic() - before
        passengers += 1
    took = time.monotonic() - start
    bus.cancel()
    with open("truth", "w") as truth:
        truth.write(f"waited {waited / took:.3f}\npassengers {passengers}\n")


asyncio.run(main())
