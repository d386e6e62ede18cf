"""Tells what a parcel costs; each answer takes 40 ms."""
import os
import socket
import time


def price_of(boxes, postcode):
    time.sleep(0.04)
    return 4.9 * boxes + postcode % 7


with open("/proc/self/comm", "w") as comm:
    comm.write("carrier")
listener = socket.create_server(("127.0.0.1", 0))
with open("port", "w") as port:
    port.write(str(listener.getsockname()[1]))
open("ready", "w").close()
while True:
    client, _ = listener.accept()
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with client, client.makefile() as lines:
        for line in lines:
            client.sendall(f"{price_of(*map(int, line.split()))}\n".encode())
