"""The controller of the winches. A message is its length (two bytes), the winch and the height."""
import socket
import struct

with open("/proc/self/comm", "w") as comm:
    comm.write("winches")


def receive(client, size):
    data = b""
    while len(data) < size:
        more = client.recv(size - len(data))
        if not more:
            raise EOFError
        data += more
    return data


def serve(client):
    while True:
        (size,) = struct.unpack(">H", receive(client, 2))
        winch, height = struct.unpack(">ii", receive(client, size))
        client.sendall(struct.pack(">i", height))


listener = socket.create_server(("127.0.0.1", 0))
with open("port", "w") as f:
    f.write(str(listener.getsockname()[1]))
open("ready", "w").close()
while True:
    client, _ = listener.accept()
    try:
        serve(client)
    except (EOFError, ConnectionError):
        client.close()
