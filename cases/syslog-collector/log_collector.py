"""Takes log lines from a Unix socket, and needs 12 ms for each, because it forwards it over a slow line."""
import os
import socket
import time

with open("/proc/self/comm", "w") as comm:
    comm.write("log_collector")
log = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
log.bind("log.sock")
open("ready", "w").close()
forwarded = 0
while line := log.recv(4096):
    time.sleep(0.012)
    forwarded += len(line)
