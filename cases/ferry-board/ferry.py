"""The board at a ferry's pier: a thread draws the map, a coroutine shows it."""
import asyncio
import threading
import time

rounds = 0
drawing = 0.0


def draw_map(position, finished):
    global drawing
    before = time.thread_time()
    shore = [(x * position + y * 31) % 251 for x in range(700) for y in range(700)]
    finished.append(sum(shore))
    drawing += time.thread_time() - before


async def map_of(position):
    global rounds
    finished = []
    threading.Thread(target=draw_map, args=(position, finished)).start()
    while not finished:
        await asyncio.sleep(0)
        rounds += 1
    return finished[0]


async def show():
    start, maps = time.perf_counter(), 0
    while time.perf_counter() - start < 2:
        await map_of(maps)
        maps += 1
    wall = time.perf_counter() - start
    with open("truth", "w") as truth:
        truth.write(f"maps {maps}\nrounds {rounds}\ndrawing {drawing / wall:.3f}\n")


asyncio.run(show())
