"""Updates the packages of a machine in the background: holds the lock until all of them are fetched."""
import fcntl
import os
import time


def fetch_package(number):
    """From a mirror far away, 100 ms each."""
    time.sleep(0.1)
    return f"update {number}\n"


def update_all(count):
    with open("updates.txt", "w") as updates:
        for number in range(count):
            updates.write(fetch_package(number))


with open("/proc/self/comm", "w") as comm:
    comm.write("auto_updater")
with open("packages.lock", "a") as lock:
    fcntl.lockf(lock, fcntl.LOCK_EX)
    open("ready", "w").close()
    update_all(21)
time.sleep(60)
