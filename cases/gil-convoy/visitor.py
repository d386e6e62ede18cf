"""Sends a question, waits for its answer, and sends the next 2 ms later; connects to each new service."""
import os
import socket
import time

open("ready", "w").close()
while True:
    while not os.path.exists("port"):
        time.sleep(0.005)
    with open("port") as port:
        service = socket.create_connection(("127.0.0.1", int(port.read())))
    os.remove("port")
    service.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        service.sendall(b"a question")
        while service.recv(100):
            time.sleep(0.002)
            service.sendall(b"a question")
    except ConnectionError:
        pass
