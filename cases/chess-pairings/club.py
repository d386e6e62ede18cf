"""A chess club's server: six boards ask for the time by coroutines, while the pairings of the evening are made."""
import asyncio
import time

late = 0.0


def pairings(players):
    best, pairs = None, []
    for turn in range(players):
        order = [(n * 7 + turn) % players for n in range(players)]
        cost = sum(abs(a - b) ** 2 % 17 for a in order[::3] for b in order[1::5])
        if best is None or cost < best:
            best, pairs = cost, list(zip(order[::2], order[1::2]))
    return pairs


async def evening(rounds):
    made = 0
    for _ in range(rounds):
        await asyncio.sleep(0.01)
        made += len(pairings(270))
    return made


async def board(number, until):
    global late
    ticks = 0
    while time.perf_counter() < until:
        due = time.perf_counter() + 0.02
        await asyncio.sleep(0.02)
        late = max(late, time.perf_counter() - due)
        ticks += 1
    return ticks


async def main():
    start = time.perf_counter()
    made, *ticks = await asyncio.gather(evening(10), *(board(number, start + 2.0) for number in range(6)))
    with open("truth", "w") as truth:
        truth.write(f"latest {late:.3f}\npairs {made}\nticks {sum(ticks)}\nseconds {time.perf_counter() - start:.2f}\n")


asyncio.run(main())
