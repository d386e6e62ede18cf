"""The gate of the harbour: opens a quarter of a second late and lets the lorries through at the pace of its scales."""
import socket
import time

open("ready", "w").close()
start = time.monotonic()
while True:
    try:
        with open("gate.wanted"):
            break
    except FileNotFoundError:
        time.sleep(0.01)
        if time.monotonic() - start > 60:
            raise SystemExit(1)
time.sleep(0.2)
gate = socket.socket(socket.AF_UNIX)
gate.bind("gate.sock")
gate.listen(5)
office, _ = gate.accept()
block = b"".join(b"lorry %06d %d t\n" % (n, 8 + n * 7 % 32) for n in range(2000))
start = time.monotonic()
try:
    while time.monotonic() - start < 2.2:
        office.sendall(block)
except BrokenPipeError:
    pass
office.close()
