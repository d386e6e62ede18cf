"""An earlier print run of the printer's user: three processes that watch the temperature of the beds."""
import os
import time

beds = []
for bed in range(3):
    child = os.fork()
    if child == 0:
        os.setgid(64990)
        os.setuid(64990)
        time.sleep(1.4)
        os._exit(0)
    beds.append(child)
with open("/proc/self/comm", "w") as comm:
    comm.write("earlier_run")
time.sleep(0.05)
open("ready", "w").close()
for child in beds:
    os.waitpid(child, 0)
time.sleep(600)
