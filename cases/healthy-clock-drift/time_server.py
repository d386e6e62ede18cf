"""Tells the time, by UDP."""
import os
import socket
import struct
import time

with open("/proc/self/comm", "w") as comm:
    comm.write("time_server")
server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
server.bind(("127.0.0.1", 0))
with open("ready.part", "w") as ready:
    ready.write(str(server.getsockname()[1]))
os.rename("ready.part", "ready")
while True:
    question, address = server.recvfrom(48)
    server.sendto(question[:8] + struct.pack("!d", time.time()), address)
