"""Passes each ring at the doors of a house on to the intercom; nobody needs an answer."""
import socket
import time

connecting = 0.0


def ring(door):
    global connecting
    with socket.socket(socket.AF_UNIX) as sock:
        before = time.perf_counter()
        sock.connect("intercom.sock")
        connecting += time.perf_counter() - before
        sock.send(b"door %d" % door)


start, rings = time.perf_counter(), 0
while time.perf_counter() - start < 2:
    ring(rings % 12)
    rings += 1
wall = time.perf_counter() - start
with open("truth", "w") as truth:
    truth.write(f"share {connecting / wall:.3f}\nrings {rings}\n")
