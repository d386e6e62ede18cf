"""The editor's language service: it checks the same crate in the background, and so holds the lock of its build folder."""
import fcntl
import os
import shutil
import time

with open("/proc/self/comm", "w") as comm:
    comm.write("editor")
shutil.copytree(os.path.join(os.environ["CASE"], "crate"), "crate")
os.makedirs("crate/target/debug")
lock = open("crate/target/debug/.cargo-lock", "w")
fcntl.flock(lock, fcntl.LOCK_EX)
number = os.fstat(lock.fileno()).st_ino


def someone_waits():
    with open("/proc/locks") as locks:
        return any("->" in line and f":{number} " in line for line in locks)


open("ready", "w").close()
while not someone_waits():
    time.sleep(0.01)
time.sleep(2.0)         # the rest of the check
lock.close()
while True:
    time.sleep(60)
