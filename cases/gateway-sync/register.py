"""The register of meters: one line in, one line out, one connection each."""
import socket

s = socket.create_server(("127.0.0.1", 8400), backlog=64)
open("up", "w").close()
while True:
    c, _ = s.accept()
    line = c.recv(200)
    c.sendall(b"ok " + line)
    c.recv(1)
    c.close()
