"""Three boats that pass the harbour now and then; the last one closes it for the night."""
import pathlib
import socket
import time

pathlib.Path("ready").touch()
port = pathlib.Path("port")
while not port.exists():
    time.sleep(0.01)
boats = [socket.create_connection(("127.0.0.1", int(port.read_text()))) for _ in range(3)]
for n in range(18):
    time.sleep(0.11)
    boats[n % 3].sendall(f"passing {n}\n".encode())
    boats[n % 3].recv(64)
boats[0].sendall(b"close\n")
