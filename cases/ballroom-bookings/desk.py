"""Takes bookings of a ballroom from five desks at once (asyncio)."""
import asyncio
import contextlib
import fcntl
import time

waited = 0.0


@contextlib.contextmanager
def book_locked():
    global waited
    with open("ballroom.lock", "a") as lock:
        start = time.perf_counter()
        fcntl.flock(lock, fcntl.LOCK_EX)
        waited += time.perf_counter() - start
        yield


async def enter(desk, table):
    with book_locked():
        with open("bookings.txt", "a") as book:
            book.write(f"desk {desk}: table {table}\n")


async def desk(number, until, counts):
    table = 0
    while time.perf_counter() < until:
        await enter(number, table)
        counts[number] += 1
        table += 1
        await asyncio.sleep(0.02)


async def main():
    start = time.perf_counter()
    counts = [0] * 5
    await asyncio.gather(*(desk(n, start + 2, counts) for n in range(5)))
    print("bookings per desk:", counts)
    with open("truth", "w") as f:
        f.write(f"share {waited / (time.perf_counter() - start):.2f}\n")


asyncio.run(main())
