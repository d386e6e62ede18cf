"""Holds the lock for 1.8 seconds."""
import fcntl
import time

with open("/proc/self/comm", "w") as comm:
    comm.write("spooler")
lock = open("spool.lock", "w")
fcntl.lockf(lock, fcntl.LOCK_EX)
open("ready", "w").close()
time.sleep(1.8)
lock.close()
time.sleep(60)
