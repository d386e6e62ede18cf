"""Looks for changes in a diary, in the way of editors: takes the lock of the index meanwhile."""
import os
import time

with open("/proc/self/comm", "w") as comm:
    comm.write("editor_plugin")
lock = os.open("diary/.git/index.lock", os.O_CREAT | os.O_EXCL | os.O_WRONLY)
open("ready", "w").close()
time.sleep(1.7)
os.close(lock)
os.remove("diary/.git/index.lock")
time.sleep(600)
