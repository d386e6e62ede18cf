"""The inspector, who takes the book for 300 ms, and leaves it for 30 ms."""
import fcntl
import time

with open("/proc/self/comm", "w") as comm:
    comm.write("inspector")
with open("wagons.book", "a+") as book:
    fcntl.flock(book, fcntl.LOCK_EX)
    open("ready", "w").close()
    while True:
        fcntl.flock(book, fcntl.LOCK_EX)
        time.sleep(0.3)
        fcntl.flock(book, fcntl.LOCK_UN)
        time.sleep(0.03)
