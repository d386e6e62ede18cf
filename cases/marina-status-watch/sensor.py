"""A sensor at a pier: reports a boat now and then."""
import random
import socket
import time

open("ready", "w").close()
random.seed(3)
end = time.time() + 30
while time.time() < end:
    try:
        with socket.create_connection(("127.0.0.1", 18511)) as gate:
            lines = gate.makefile("r")
            while True:
                gate.sendall(f"b{random.randrange(40)} {random.choice(['in', 'out'])}\n".encode())
                lines.readline()
                time.sleep(0.15)
    except OSError:
        time.sleep(0.05)
