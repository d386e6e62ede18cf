"""The instruments: a reading comes into the drop folder five times in a second, complete as it is renamed into it."""
import os
import time

with open("/proc/self/comm", "w") as comm:
    comm.write("instruments")
os.makedirs("drop", exist_ok=True)
open("ready", "w").close()
n = 0
while True:
    time.sleep(0.2)
    n += 1
    with open("reading.new", "w") as f:
        f.write(f"{150 + n * 7 % 40}\n")
    os.rename("reading.new", f"drop/reading-{n}")
