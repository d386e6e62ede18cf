"""A gateway that tells the state of electricity meters at once."""
import os
import socket

with open("/proc/self/comm", "w") as comm:
    comm.write("meter_gateway")
listener = socket.create_server(("127.0.0.1", 0))
with open("ready.part", "w") as ready:
    ready.write(str(listener.getsockname()[1]))
os.rename("ready.part", "ready")
while True:
    client, _ = listener.accept()
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with client, client.makefile("r") as requests:
        for request in requests:
            number = int(request.split()[1])
            client.sendall(f"METER {number * 7919 % 100_000} kWh\nEND\n".encode())
