"""The message broker: it replays its journal before it listens, which takes a while after the first client came."""
import os
import socket
import time

with open("/proc/self/comm", "w") as comm:
    comm.write("broker")
place = socket.socket()
place.bind(("127.0.0.1", 0))
with open("port", "w") as f:
    f.write(str(place.getsockname()[1]))
open("ready", "w").close()


def a_client_came():
    """Whether the client's program runs by now."""
    for name in os.listdir("/proc"):
        words = read(f"/proc/{name}/cmdline").split(b"\0")
        if words[0].endswith(b"perl") and b"otter-broker/main.pl" in b" ".join(words):
            return True
    return False


def read(path):
    try:
        with open(path, "rb") as f:
            return f.read()
    except OSError:
        return b""


for _ in range(1000):
    if a_client_came():
        break
    time.sleep(0.02)
time.sleep(1.9)
place.listen()
while True:
    client, _ = place.accept()
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    lines = client.makefile("rwb")
    for line in lines:
        lines.write(b"kept\n")
        lines.flush()
