"""Makes a list of the addresses of all machines in an office."""
import socket
import time

TRY_SECONDS = 0.25
silent = 0.0


def ask(port, number, name):
    global silent
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.settimeout(TRY_SECONDS)
        sock.sendto(number.to_bytes(2, "big") + name.encode(), ("127.0.0.1", port))
        before = time.perf_counter()
        try:
            return sock.recvfrom(512)[0][2:]
        except TimeoutError:
            silent += time.perf_counter() - before
            return None


def address_of(name, number, ports):
    for port in ports:
        answer = ask(port, number, name)
        if answer:
            return ".".join(str(part) for part in answer)
    return "unknown"


with open("ready") as file:
    ports = [int(port) for port in file.read().split()]
start, number = time.perf_counter(), 0
with open("hosts", "w") as hosts:
    while time.perf_counter() - start < 2:
        name = f"{'desk printer phone'.split()[number % 3]}-{number}.office"
        hosts.write(f"{address_of(name, number, ports)} {name}\n")
        number += 1
wall = time.perf_counter() - start
with open("truth", "w") as truth:
    truth.write(f"share {silent / wall:.3f}\nhosts {number}\n")
