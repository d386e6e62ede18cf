"""Counts visitors by numbers that all fall on the same place of the hash table."""
import time

# Python hashes integers modulo this prime, so that all multiples of it have the hash 0.
PRIME = 2**61 - 1


def count(visits):
    seen = {}
    for visitor in visits:
        seen[visitor] = seen.get(visitor, 0) + 1
    return seen


VISITS = [n * PRIME for n in range(1, 1500)]
start, rounds = time.monotonic(), 0
while time.monotonic() - start < 2:
    count(VISITS)
    rounds += 1
with open("truth", "w") as truth:
    truth.write(f"rounds {rounds}\nms_per_round {2000 / rounds:.1f}\n")
