"""Puts a photograph into the drop box now and then."""
import itertools
import os
import time

os.makedirs("box", exist_ok=True)
with open("/proc/self/comm", "w") as comm:
    comm.write("photographer")
open("ready", "w").close()
for number in itertools.count():
    time.sleep(0.17)
    with open("photo.part", "wb") as photo:
        photo.write(bytes((x * number) % 251 for x in range(20000)))
    os.rename("photo.part", f"box/photo-{number:03}.raw")
