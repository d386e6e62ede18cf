"""A visitor at the terminal: reads the question, thinks for half a second, and types the answer."""
import os
import time

KNOWS = {b"twitter": b"linnet", b"two notes": b"cuckoo", b"flute": b"nightingale", b"pink": b"chaffinch"}

with open("/proc/self/comm", "w") as comm:
    comm.write("visitor")
terminal, line = os.openpty()
with open("line", "w") as f:
    f.write(os.ttyname(line))
open("ready", "w").close()
seen = b""
while True:
    seen += os.read(terminal, 1000)
    if seen.endswith(b": "):
        time.sleep(0.5)
        for mark, bird in KNOWS.items():
            if mark in seen:
                os.write(terminal, bird + b"\n")
        seen = b""
