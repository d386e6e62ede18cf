"""The waiter: a terminal, at which somebody types now and then."""
import os
import pty
import time

master, slave = pty.openpty()
if os.path.lexists("tty"):
    os.remove("tty")
os.symlink(os.ttyname(slave), "tty")
open("ready", "w").close()
for line in ("soup", "fish", "soup", "wine", "done"):
    time.sleep(0.45)
    os.write(master, line.encode() + b"\n")
time.sleep(20)
