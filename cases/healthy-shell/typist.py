"""Types into a terminal, with the pauses of a person."""
import os
import pty
import threading
import time

screen, terminal = pty.openpty()
with open("ready.part", "w") as ready:
    ready.write(os.ttyname(terminal))
os.rename("ready.part", "ready")


def show():
    while os.read(screen, 4096):
        pass


threading.Thread(target=show, daemon=True).start()
time.sleep(0.8)
for line in ["echo hello", "ls /", "pwd", "exit"]:
    time.sleep(0.4)
    os.write(screen, line.encode() + b"\n")
time.sleep(60)
