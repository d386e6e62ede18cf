"""Sends a short telegram whenever there is news, about 5,000 times a second, until the other end leaves."""
import socket
import time

wire = socket.create_server(("127.0.0.1", 0))
with open("port", "w") as file:
    file.write(str(wire.getsockname()[1]))
open("ready", "w").close()
while True:
    line, _ = wire.accept()
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        while True:
            line.sendall(b"BARLEY 2/3 UP, OATS DOWN")
            time.sleep(0.0001)
    except OSError:
        line.close()
