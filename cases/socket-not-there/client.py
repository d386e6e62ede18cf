"""Connects to a service; waits twice as long after each failure."""
import socket
import time

backing_off = 0.0


def connect_with_backoff(path):
    global backing_off
    pause = 0.1
    while True:
        service = socket.socket(socket.AF_UNIX)
        try:
            service.connect(path)
            return service
        except FileNotFoundError:
            service.close()
        before = time.monotonic()
        time.sleep(pause)
        backing_off += time.monotonic() - before
        pause *= 2


start = time.monotonic()
open("wanted", "w").close()
service = connect_with_backoff("app.sock")
connected = time.monotonic() - start
assert service.recv(100) == b"hello\n"
with open("truth", "w") as truth:
    truth.write(f"connected_after {connected:.3f}\nbacking_off {backing_off:.3f}\n")
