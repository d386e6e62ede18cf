"""The barrier of a car park, whose motor is stuck: it counts the cars as long as it is open."""
import fcntl
import time

with open("/proc/self/comm", "w") as comm:
    comm.write("barrier")
counter = open("counter.lock", "w")
fcntl.flock(counter, fcntl.LOCK_EX)
open("ready", "w").close()
time.sleep(600)
