"""Writes a report under a lock that another program holds for long."""
import fcntl
import time


def lock_report(path):
    lock = open(path, "w")
    fcntl.flock(lock, fcntl.LOCK_EX)
    return lock


start = time.monotonic()
with lock_report("report.lock"):
    waited = time.monotonic() - start
    with open("report.txt", "w") as report:
        report.write("all is well\n")
with open("truth", "w") as truth:
    truth.write(f"waited {waited:.3f}\n")
