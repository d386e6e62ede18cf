"""Cuts a film on the CPU that the machine keeps for such work."""
import os
import time

os.sched_setaffinity(0, {1})
open("ready", "w").close()
frame = 1
while True:
    frame = (frame * 48271 + 11) % 2147483647
