"""Simulates the passengers of a night bus: each one is a task that gets on, rides and gets off."""
import asyncio
import time


class Stop:
    def __init__(self, number):
        self.number = number
        self.waiting = asyncio.Queue()


async def get_off(passenger, stop):
    return passenger * 31 % 7 == stop.number % 7


async def ride(passenger, stops):
    for stop in stops:
        if await asyncio.ensure_future(get_off(passenger, stop)):
            stop.waiting.put_nowait(passenger)
            return await stop.waiting.get()
    return passenger


async def drive():
    stops = [Stop(number) for number in range(12)]
    start, passengers = time.perf_counter(), 0
    while time.perf_counter() - start < 2:
        rides = [ride(passengers + seat, stops) for seat in range(30)]
        await asyncio.gather(*rides)
        passengers += len(rides)
    with open("truth", "w") as truth:
        truth.write(f"passengers {passengers}\n")


asyncio.run(drive(), debug=True)
