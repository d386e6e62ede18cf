"""Holds the lock until 1.8 seconds after somebody else wants it."""
import fcntl
import os
import time

with open("/proc/self/comm", "w") as comm:
    comm.write("spooler")
lock = open("spool.lock", "w")
fcntl.lockf(lock, fcntl.LOCK_EX)
open("ready", "w").close()
while not os.path.exists("asked"):
    time.sleep(0.005)
time.sleep(1.8)
lock.close()
time.sleep(60)
