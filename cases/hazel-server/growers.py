"""The growers: someone sets or asks for a value now and then, and after two seconds the valley goes to sleep."""
import os
import socket
import time

with open("/proc/self/comm", "w") as comm:
    comm.write("growers")
open("ready", "w").close()
while not os.path.exists("port"):
    time.sleep(0.02)
with open("port") as f:
    port = int(f.read())
grower = socket.create_connection(("127.0.0.1", port))
lines = grower.makefile("rw")
until = time.monotonic() + 2
n = 0
while time.monotonic() < until:
    lines.write(f"set field-{n % 9} {n}\n" if n % 3 == 0 else f"get field-{n % 7}\n")
    lines.flush()
    lines.readline()
    n += 1
    time.sleep(0.07)
lines.write("stop\n")
lines.flush()
time.sleep(60)
