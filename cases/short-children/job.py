"""Renames 2 seconds' worth of files by one `mv` process each."""
import subprocess
import time


def rename(number):
    subprocess.run(["mv", f"in-{number}", f"out-{number}"], check=True)


start, renamed = time.monotonic(), 0
while time.monotonic() - start < 2:
    open(f"in-{renamed}", "w").close()
    rename(renamed)
    renamed += 1
with open("truth", "w") as truth:
    truth.write(f"children {renamed}\n")
