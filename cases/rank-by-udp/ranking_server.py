"""Answers questions about ranks. It forgets every fifth of them, as an overloaded server does."""
import os
import socket

with open("/proc/self/comm", "w") as comm:
    comm.write("ranking_server")
server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
server.bind(("127.0.0.1", 0))
with open("port", "w") as port:
    port.write(str(server.getsockname()[1]))
open("ready", "w").close()
number = 0
while True:
    question, client = server.recvfrom(200)
    number += 1
    if number % 5:
        server.sendto(b"%d" % (1 + hash(question) % 1000), client)
