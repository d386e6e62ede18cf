"""Sends telegrams as fast as they are taken, until the other end leaves."""
import socket

office = socket.create_server(("127.0.0.1", 0))
with open("port", "w") as file:
    file.write(str(office.getsockname()[1]))
open("ready", "w").close()
telegrams = b"ARRIVE TUESDAY STOP BRING THE SAMPLES STOP\n" * 1000
while True:
    line, _ = office.accept()
    try:
        while True:
            line.sendall(telegrams)
    except OSError:
        line.close()
