"""A signal box lets trains pass when the next box says by a signal that the line is free."""
import os
import signal
import time

waiting = 0.0


def await_free_line():
    global waiting
    before = time.perf_counter()
    signal.sigwait({signal.SIGUSR1})
    waiting += time.perf_counter() - before


signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
with open("box.new", "w") as file:
    file.write(str(os.getpid()))
os.rename("box.new", "box.pid")
start = time.perf_counter()
passed = 0
for train in range(10):
    await_free_line()
    passed += sum(n % 7 for n in range(20000)) % 5
wall = time.perf_counter() - start
with open("truth", "w") as truth:
    truth.write(f"share {waiting / wall:.3f}\naxles {passed}\n")
