"""A database that takes 3 ms for each query."""
import os
import socket
import time

with open("/proc/self/comm", "w") as comm:
    comm.write("tiny_db")
listener = socket.create_server(("127.0.0.1", 0))
with open("ready.part", "w") as ready:
    ready.write(str(listener.getsockname()[1]))
os.rename("ready.part", "ready")
while True:
    client, _ = listener.accept()
    with client:
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        while client.recv(1500):
            time.sleep(0.003)
            client.sendall(b"Jane Doe, Main Street 1\n")
