"""Puts the country before each line of an access log; asks a service on this machine for each address."""
import socket
import sys
import time

with open("ready") as ready:
    service = socket.create_connection(("127.0.0.1", int(ready.read())))
waited, lines, start = 0.0, 0, time.monotonic()


def country_of(address):
    global waited
    before = time.monotonic()
    service.sendall(address.encode() + b"\n")
    country = service.recv(100).decode().strip()
    waited += time.monotonic() - before
    return country


for line in sys.stdin:
    print(country_of(line.split(" ", 1)[0]), line, end="")
    lines += 1
    if time.monotonic() - start > 2:
        break
with open("truth", "w") as truth:
    truth.write(f"waited {waited / (time.monotonic() - start):.3f}\nlines {lines}\n"
                f"ms_per_line {1000 * waited / lines:.1f}\n")
