"""Computes with four threads, which the interpreter's lock lets run one at a time."""
import threading
import time

END = time.monotonic() + 2
done = [0] * 4


def crunch(number):
    value = 1
    for n in range(20_000):
        value = (value * 31 + n) % 1_000_003
    done[number] += 1


def worker(number):
    while time.monotonic() < END:
        crunch(number)


threads = [threading.Thread(target=worker, args=[n], name=f"cruncher-{n}") for n in range(4)]
start, cpu = time.monotonic(), time.process_time()
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
with open("truth", "w") as truth:
    wall = time.monotonic() - start
    truth.write(f"rounds {sum(done)}\ncpus_used {(time.process_time() - cpu) / wall:.2f}\n")
