"""Derives new keys for all doors of a house."""
import concurrent.futures
import hashlib
import os
import time


def new_key(door):
    return hashlib.scrypt(b"master of %d" % door, salt=b"winter", n=16384, r=8, p=1, maxmem=64 << 20, dklen=32)


start = time.perf_counter()
cpus = len(os.sched_getaffinity(0))
with concurrent.futures.ThreadPoolExecutor(cpus) as pool:
    keys = list(pool.map(new_key, range(28 * cpus)))
wall = time.perf_counter() - start
with open("keys.txt", "w") as file:
    file.write("\n".join(key.hex() for key in keys))
with open("truth", "w") as truth:
    truth.write(f"cpus_used {time.process_time() / wall:.2f}\n")
