"""A magnet as a grid of spins (Ising), by Metropolis' rule; a checkpoint is written twice a second, so that a run of
weeks can go on after a power cut."""
import math
import os
import pickle
import random
import time

SIZE = 96


def fresh_grid(rng):
    return [[rng.choice((-1, 1)) for _ in range(SIZE)] for _ in range(SIZE)]


def sweep(grid, rng, accept):
    uniform = rng.random
    for y in range(SIZE):
        row, above, below = grid[y], grid[y - 1], grid[(y + 1) % SIZE]
        for x in range(SIZE):
            spin = row[x]
            energy = spin * (row[x - 1] + row[(x + 1) % SIZE] + above[x] + below[x])
            if energy <= 0 or uniform() < accept[energy]:
                row[x] = -spin


def magnetization(grid):
    return sum(map(sum, grid)) / SIZE ** 2


def checkpoint(grid, sweeps):
    with open("magnet.new", "wb") as out:
        pickle.dump((sweeps, [bytes(s & 3 for s in row) for row in grid]), out)
    os.rename("magnet.new", "magnet.state")


def main():
    rng = random.Random(1925)
    accept = {energy: math.exp(-2 * energy / 2.1) for energy in (0, 2, 4)}
    grid, sweeps, values = fresh_grid(rng), 0, []
    start = saved = time.monotonic()
    while time.monotonic() - start < 2:
        sweep(grid, rng, accept)
        sweeps += 1
        values.append(magnetization(grid))
        if time.monotonic() - saved > 0.5:
            checkpoint(grid, sweeps)
            saved = time.monotonic()
    print(f"{sweeps} sweeps, magnetization {values[-1]:.3f}")


main()
