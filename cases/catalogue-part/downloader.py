"""Fetches a catalogue again and again. A file that is not complete has another name."""
import os
import time


def receive(part):
    with open(part, "w") as out:
        out.write("[")
        for number in range(60):
            out.write(f'{{"article": {number}, "cents": {number * 37}}}, ')
            time.sleep(0.01)
        out.write("0]")


with open("/proc/self/comm", "w") as comm:
    comm.write("downloader")
open("ready", "w").close()
while True:
    if not os.path.exists("catalogue.json"):
        receive("catalogue.json.part")
        os.rename("catalogue.json.part", "catalogue.json")
    time.sleep(0.001)
