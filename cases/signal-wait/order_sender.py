"""Computes 100 ms for each order, then sends a signal."""
import os
import signal
import time

with open("/proc/self/comm", "w") as comm:
    comm.write("order_sender")
open("ready", "w").close()
while not os.path.exists("pid"):
    time.sleep(0.01)
pid = int(open("pid").read())
while os.path.exists(f"/proc/{pid}"):
    until = time.process_time() + 0.1
    while time.process_time() < until:
        pass
    try:
        os.kill(pid, signal.SIGUSR1)
    except ProcessLookupError:
        break
