"""Shows the stock list on a hand terminal."""
import socket
import time

with open("port") as file:
    port = int(file.read())


def read_line(sock):
    line = bytearray()
    while (letter := sock.recv(1)) not in (b"\n", b""):
        line += letter
    return line.decode()


start, pieces, size = time.perf_counter(), 0, 0
with socket.create_connection(("127.0.0.1", port)) as sock:
    while time.perf_counter() - start < 2:
        line = read_line(sock)
        pieces += int(line.split(";")[1].split()[0])
        size += len(line) + 1
with open("truth", "w") as truth:
    truth.write(f"bytes {size}\npieces {pieces}\n")
