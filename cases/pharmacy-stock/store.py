"""The warehouse of the pharmacies: takes an order of a head and a body and answers it."""
import os
import socket

listener = socket.create_server(("127.0.0.1", 0))
with open("ready.new", "w") as f:
    f.write(str(listener.getsockname()[1]))
os.rename("ready.new", "ready")
while True:
    client, _ = listener.accept()
    data = b""
    while True:
        got = client.recv(4096)
        if not got:
            break
        data += got
        while len(data) >= 12 and len(data) >= 12 + int(data[6:12]):
            size = int(data[6:12])
            client.sendall(b"OK %03d\n" % (size % 1000))
            data = data[12 + size:]
    client.close()
