"""An archive that takes documents by PUT, and answers with a number for each."""
import os
import socket

listener = socket.create_server(("127.0.0.1", 0))
with open("port", "w") as port:
    port.write(str(listener.getsockname()[1]))
os.rename("port", "ready")


def take_document(client, number):
    with client, client.makefile("rb") as request:
        length = 0
        while (line := request.readline()) not in (b"\r\n", b""):
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        got = len(request.read(length))
        answer = f"document {number}, {got} bytes\n".encode()
        client.sendall(b"HTTP/1.1 201 Created\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s" % (len(answer), answer))


number = 0
while True:
    visitor, _ = listener.accept()
    number += 1
    take_document(visitor, number)
