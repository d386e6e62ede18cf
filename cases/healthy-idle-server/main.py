"""A server with little to do: it answers within microseconds and waits for the next client."""
import os
import socket
import time

listener = socket.create_server(("127.0.0.1", 0))
with open("port.part", "w") as port:
    port.write(str(listener.getsockname()[1]))
os.rename("port.part", "port")
listener.settimeout(30)
for _ in range(5):
    client, _ = listener.accept()
    with client:
        client.sendall(b"hello " + client.recv(100))
