"""Keeps a laptop cool: whatever has registered in "heavy" may work for 30 of each 100 ms."""
import os
import signal
import time

with open("/proc/self/comm", "w") as comm:
    comm.write("energy_guard")
open("ready", "w").close()
while True:
    try:
        with open("heavy") as file:
            process = int(file.read())
        time.sleep(0.03)
        os.kill(process, signal.SIGSTOP)
        time.sleep(0.07)
        os.kill(process, signal.SIGCONT)
    except (FileNotFoundError, ValueError):
        time.sleep(0.01)
    except ProcessLookupError:
        os.remove("heavy")
