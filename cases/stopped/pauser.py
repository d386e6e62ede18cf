"""Stops the program 0.3 s after its start, and lets it go on 1.2 s later."""
import os
import signal
import time

with open("/proc/self/comm", "w") as comm:
    comm.write("pauser")
open("ready", "w").close()
while not os.path.exists("pid"):
    time.sleep(0.01)
pid = int(open("pid").read())
time.sleep(0.3)
os.kill(pid, signal.SIGSTOP)
time.sleep(1.2)
os.kill(pid, signal.SIGCONT)
time.sleep(60)
