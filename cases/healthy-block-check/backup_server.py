"""Sends the blocks of a backup."""
import os
import socket

BLOCK = 4 << 20

with open("/proc/self/comm", "w") as comm:
    comm.write("backup_server")
blocks = [os.urandom(BLOCK) for _ in range(4)]
listener = socket.create_server(("127.0.0.1", 0))
with open("ready.part", "w") as ready:
    ready.write(str(listener.getsockname()[1]))
os.rename("ready.part", "ready")
while True:
    client, _ = listener.accept()
    with client, client.makefile("r") as requests:
        try:
            for request in requests:
                client.sendall(blocks[int(request.split()[1]) % 4])
        except ConnectionError:
            pass
