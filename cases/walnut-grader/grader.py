"""Sorts walnuts into boxes: each swings past the camera of the grader for two milliseconds."""
import collections
import sys
import time

with open("/proc/self/comm", "w") as comm:
    comm.write("grader")
boxes = collections.Counter()
for line in sys.stdin:
    time.sleep(0.002)
    boxes[line.split("from the ")[1].split()[0]] += 1
with open("boxes", "w") as f:
    for orchard, nuts in sorted(boxes.items()):
        f.write(f"{orchard} {nuts}\n")
