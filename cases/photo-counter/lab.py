"""The laboratory: develops a photo as soon as its order is there, and puts it into the folder."""
import os
import time

with open("/proc/self/comm", "w") as comm:
    comm.write("photo-lab")
done = 0
open("ready", "w").close()
while True:
    order = f"order-{done + 1}"
    if not os.path.exists(order):
        time.sleep(0.002)
        continue
    time.sleep(0.01)
    with open(f"{order}.photo.new", "w") as f:
        f.write(f"photo {done + 1}\n")
    os.rename(f"{order}.photo.new", f"{order}.photo")
    done += 1
