"""Registers the hives of beekeepers: finds where each stands, and signs the entry."""
import csv
import hashlib
import io
import socket
import time

clocks = {"places": 0.0, "signatures": 0.0}


def entries():
    text = io.StringIO()
    rows = csv.writer(text)
    for n in range(2000):
        rows.writerow([f"keeper {n % 300}", f"Meadow Lane {n}, Village {n % 45}", 3 + n % 20])
    text.seek(0)
    return csv.reader(text)


class Places:
    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.lines = self.socket.makefile("r")

    def find(self, address):
        self.socket.sendall((address + "\n").encode())
        north, east = self.lines.readline().split()
        return float(north), float(east)


def sign(entry):
    return hashlib.pbkdf2_hmac("sha256", repr(entry).encode(), b"register", 40000).hex()


def timed(name, job, *arguments):
    start = time.perf_counter()
    result = job(*arguments)
    clocks[name] += time.perf_counter() - start
    return result


def main():
    start = time.perf_counter()
    places = Places(18501)
    register = {}
    for keeper, address, hives in entries():
        where = timed("places", places.find, address)
        entry = (keeper, address, int(hives), where)
        register[timed("signatures", sign, entry)] = entry
        if time.perf_counter() - start > 2:
            break
    wall = time.perf_counter() - start
    print(len(register), "entries", {name: round(t / wall, 2) for name, t in clocks.items()})
    with open("truth", "w") as f:
        f.write(f"share {clocks['places'] / wall:.2f}\n")


main()
