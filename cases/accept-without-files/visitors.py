"""Forty visitors connect at once, look around for 1.8 s, and ask; the later ones when they get in."""
import os
import socket
import time

open("ready", "w").close()
while not os.path.exists("port"):
    time.sleep(0.01)
with open("port") as file:
    port = int(file.read())
visitors = [socket.create_connection(("127.0.0.1", port)) for _ in range(40)]
time.sleep(1.8)
for visitor in visitors:
    visitor.sendall(b"status\n")
    visitor.recv(100)
    visitor.close()
