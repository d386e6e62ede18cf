"""Somebody started a backup by hand. It holds the lock until 1.8 s after the next backup wants it."""
import fcntl
import os
import time

with open("/proc/self/comm", "w") as comm:
    comm.write("manual_backup")
with open("backup.lock", "w") as lock:
    fcntl.flock(lock, fcntl.LOCK_EX)
    open("ready", "w").close()
    while not os.path.exists("asked"):
        time.sleep(0.005)
    time.sleep(1.8)
    fcntl.flock(lock, fcntl.LOCK_UN)
    time.sleep(90)
