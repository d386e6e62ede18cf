"""Keeps a worker running until it has done its work: whenever it fails, it is started again after a pause."""
import subprocess
import sys
import time

PAUSE = 0.7


def start(command, log):
    return subprocess.run(command, stdout=log, stderr=log).returncode


def supervise(command):
    starts = pauses = 0
    with open("worker.log", "w") as log:
        while True:
            starts += 1
            code = start(command, log)
            if code == 0:
                return starts, pauses
            print(f"worker ended with {code}, is started again", file=log, flush=True)
            before = time.monotonic()
            wait_before_restart()
            pauses += time.monotonic() - before


def wait_before_restart():
    time.sleep(PAUSE)


began = time.monotonic()
starts, pauses = supervise(sys.argv[1:])
took = time.monotonic() - began
print(f"done after {starts} starts and {took:.2f} s, {pauses:.2f} s of them pauses")
open("truth", "w").write(f"share {pauses / took:.3f}\n")
