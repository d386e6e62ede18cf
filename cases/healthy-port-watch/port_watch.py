"""Notes whether a service can be reached: port_watch.py SECONDS-BETWEEN-LOOKS LOOKS"""
import socket
import sys
import time


def closed_port():
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return sock.getsockname()[1]


def look(port):
    try:
        socket.create_connection(("127.0.0.1", port), timeout=0.2).close()
        return "up"
    except ConnectionRefusedError:
        return "down"


between, looks = float(sys.argv[1]), int(sys.argv[2])
port = closed_port()
due, latest = time.monotonic(), 0.0
with open("watch.csv", "w") as notes:
    for number in range(looks):
        latest = max(latest, time.monotonic() - due)
        notes.write(f"{number};{look(port)}\n")
        due += between
        time.sleep(max(0.0, due - time.monotonic()))
with open("truth", "w") as truth:
    truth.write(f"latest_ms {latest * 1000:.1f}\n")
