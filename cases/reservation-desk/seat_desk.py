"""Reserves seats. Each reservation is written to a file, and is on the disk before the answer is sent."""
import os
import socket
import time


def note(book, seat):
    book.write(f"{seat} is taken\n")
    book.flush()
    os.fsync(book.fileno())


def serve(client, book):
    syncing, start = 0.0, time.monotonic()
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for line in client.makefile():
        if line == "statistics\n":
            client.sendall(f"desk_syncs {syncing / (time.monotonic() - start):.3f}\n".encode())
            continue
        before = time.monotonic()
        note(book, line.strip())
        syncing += time.monotonic() - before
        client.sendall(b"reserved\n")


with open("/proc/self/comm", "w") as comm:
    comm.write("seat_desk")
listener = socket.create_server(("127.0.0.1", 0))
with open("reservations.log", "a") as book, open("port", "w") as port:
    port.write(str(listener.getsockname()[1]))
    port.close()
    os.rename("port", "ready")
    while True:
        client, _ = listener.accept()
        with client:
            serve(client, book)
