"""Sends recordings of 12 MB, one after the other, until the server says STOP."""
import os
import socket
import time

with open("/proc/self/comm", "w") as comm:
    comm.write("camera")
recording = os.urandom(12 << 20)
open("ready", "w").close()
while not os.path.exists("port"):
    time.sleep(0.01)
with open("port") as file:
    server = socket.create_connection(("127.0.0.1", int(file.read())))
answer = b""
while not answer.startswith(b"STOP"):
    server.sendall(b"%d\n" % len(recording))
    server.sendall(recording)
    answer = server.recv(200)
