"""Types into a Python console, with the pauses of a person."""
import os
import pty
import threading
import time

screen, terminal = pty.openpty()
prompted = threading.Event()
with open("ready.part", "w") as ready:
    ready.write(os.ttyname(terminal))
os.rename("ready.part", "ready")


def show():
    while os.read(screen, 4096):
        prompted.set()


threading.Thread(target=show, daemon=True).start()
prompted.wait()
for line in ["1 + 1", "import math", "math.sqrt(17)", "exit()"]:
    time.sleep(0.5)
    os.write(screen, line.encode() + b"\n")
time.sleep(60)
