"""The field station: a microphone hears a plover now and then; each call goes to the worker, for two seconds."""
import os
import socket
import time

with open("/proc/self/comm", "w") as comm:
    comm.write("station")
queue = socket.socket(socket.AF_UNIX)
queue.bind("station.sock")
queue.listen()
open("ready", "w").close()
worker, _ = queue.accept()
until = time.monotonic() + 2
number = 0
while time.monotonic() < until:
    number += 1
    time.sleep(0.06 + number * 7 % 5 / 50)
    pitches = " ".join(str(700 + number * n * 53 % 600) for n in range(1, 20))
    worker.sendall(f"{number} {pitches}\n".encode())
    worker.recv(4096)
worker.sendall(b"end\n")
time.sleep(60)
