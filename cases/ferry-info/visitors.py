"""Visitors who ask for the next ferry now and then."""
import os
import random
import socket
import time

if os.path.exists("port"):
    os.remove("port")
open("ready", "w").close()
while not os.path.exists("port"):
    time.sleep(0.02)
port = int(open("port").read())
chance = random.Random(3)
lines = []
for _ in range(4):
    lines.append(socket.create_connection(("127.0.0.1", port)))
while True:
    line = chance.choice(lines)
    line.sendall(b"quay-%d %d\n" % (chance.randrange(12), chance.randrange(1440)))
    if not line.recv(100):
        break
    time.sleep(chance.uniform(0.05, 0.15))
