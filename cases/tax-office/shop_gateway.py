"""Passes each line of a client on to the tax office, and its answer back."""
import os
import socket
import time

with open("/proc/self/comm", "w") as comm:
    comm.write("shop_gateway")
while not os.path.exists("office"):
    time.sleep(0.01)
with open("office") as office:
    upstream = socket.create_connection(("127.0.0.1", int(office.read())))
upstream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def pass_on(line):
    upstream.sendall(line)
    return upstream.recv(1500)


listener = socket.create_server(("127.0.0.1", 0))
with open("port", "w") as port:
    port.write(str(listener.getsockname()[1]))
os.rename("port", "ready")
while True:
    client, _ = listener.accept()
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with client:
        while line := client.recv(1500):
            client.sendall(pass_on(line))
