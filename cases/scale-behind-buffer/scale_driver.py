"""Weighs all the time, and writes each weight to a pipe."""
import itertools
import time


def weigh(number):
    time.sleep(0.002)
    return 5000 + number * 37 % 400


with open("/proc/self/comm", "w") as comm:
    comm.write("scale_driver")
open("ready", "w").close()
with open("weights.fifo", "w") as pipe:
    for number in itertools.count():
        pipe.write(f"weight {weigh(number):8} g  \n")
