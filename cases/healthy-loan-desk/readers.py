"""Readers who ask the desk now and then, and close it after two and a half seconds."""
import socket
import time
from pathlib import Path

Path("ready").touch()
while not Path("port").exists():
    time.sleep(0.02)
time.sleep(0.1)
for visit in range(8):
    with socket.create_connection(("127.0.0.1", int(Path("port").read_text()))) as desk:
        lines = desk.makefile("rw")
        for shelf in range(3):
            lines.write(f"shelf {visit * 3 + shelf}\n")
            lines.flush()
            lines.readline()
    time.sleep(0.3)
with socket.create_connection(("127.0.0.1", int(Path("port").read_text()))) as desk:
    desk.sendall(b"close\n")
