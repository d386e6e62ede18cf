"""Guests who come to the desk of a hotel at night."""
import itertools
import os
import socket
import time

open("ready", "w").close()
while not os.path.exists("desk.sock"):
    time.sleep(0.01)
for number in itertools.count():
    try:
        with socket.socket(socket.AF_UNIX) as desk:
            desk.connect("desk.sock")
            desk.sendall(b"Guest %d wants a room for %d nights\n" % (number, number % 4 + 1))
            desk.recv(200)
    except OSError:
        if number > 0:
            break
    time.sleep(0.15 + number % 3 * 0.1)
