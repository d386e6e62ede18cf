"""The nightly report: locks the book of the ballroom while it is printed, page by page."""
import fcntl
import time

with open("ballroom.lock", "a") as lock:
    fcntl.flock(lock, fcntl.LOCK_EX)
    open("ready", "w").close()
    end = time.time() + 60
    while time.time() < end:
        time.sleep(0.25)
        fcntl.flock(lock, fcntl.LOCK_UN)
        time.sleep(0.012)
        fcntl.flock(lock, fcntl.LOCK_EX)
