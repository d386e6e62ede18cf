"""A service whose socket is there one second after somebody wants it."""
import os
import socket
import time

open("ready", "w").close()
while not os.path.exists("wanted"):
    time.sleep(0.005)
time.sleep(1.0)
listener = socket.socket(socket.AF_UNIX)
listener.bind("app.sock.part")
listener.listen()
os.rename("app.sock.part", "app.sock")
while True:
    client, _ = listener.accept()
    with client:
        client.sendall(b"hello\n")
