"""Computes for 1.5 s, then puts an order into the folder."""
import os
import time

with open("/proc/self/comm", "w") as comm:
    comm.write("order_writer")
os.mkdir("inbox")
open("go.part", "w").close()
open("ready", "w").close()
while not os.path.exists("go"):
    time.sleep(0.01)
until = time.process_time() + 1.5
while time.process_time() < until:
    pass
open("order", "w").close()
os.rename("order", "inbox/order")
time.sleep(60)
