"""Takes letters, as fast as the clerk can stamp their pages."""
import socket
import time


def stamp(pages):
    time.sleep(len(pages) / 1_000_000)


def receive(connection):
    size = 0
    while pages := connection.recv(8192):
        stamp(pages)
        size += len(pages)
    return size


with open("/proc/self/comm", "w") as comm:
    comm.write("post-office")
listener = socket.socket()
listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8192)
listener.bind(("127.0.0.1", 0))
listener.listen(5)
with open("port", "w") as port:
    port.write(f"{listener.getsockname()[1]}\n")
open("ready", "w").close()
while True:
    connection, _ = listener.accept()
    with connection:
        receive(connection)
