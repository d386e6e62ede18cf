"""Five clients, one after the other, with pauses."""
import os
import socket
import time

open("ready", "w").close()
while not os.path.exists("port"):
    time.sleep(0.02)
for _ in range(5):
    time.sleep(0.35)
    with socket.create_connection(("127.0.0.1", int(open("port").read()))) as server:
        server.sendall(b"world")
        server.recv(100)
time.sleep(60)
