"""Holds the lock until 1.5 s after somebody else wants it."""
import fcntl
import os
import time

with open("/proc/self/comm", "w") as comm:
    comm.write("nightly_backup")


def somebody_waits(path):
    inode = f":{os.stat(path).st_ino} "
    with open("/proc/locks") as locks:
        return any("->" in line and inode in line for line in locks)


lock = open("report.lock", "w")
fcntl.flock(lock, fcntl.LOCK_EX)
open("ready", "w").close()
while not somebody_waits("report.lock"):
    time.sleep(0.01)
time.sleep(1.5)
lock.close()
time.sleep(60)
