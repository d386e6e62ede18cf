# Uploads a photo over a slow line: 20 pieces, 90 ms apart.
import os
import socket
import time

while not os.path.exists("port"):
    time.sleep(0.01)
server = socket.create_connection(("127.0.0.1", int(open("port").read())))
server.sendall(b"PUT /photo/7 HTTP/1.0\r\nContent-Length: 20000\r\n\r\n")
server.sendall(b"p" * 1000)
time.sleep(0.05)
open("ready", "w").close()
for _ in range(19):
    time.sleep(0.09)
    server.sendall(b"p" * 1000)
server.recv(1000)
time.sleep(60)
