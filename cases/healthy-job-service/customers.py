# Sends a job every 0.25 s; the eighth is the last.
import os
import socket
import time

open("ready", "w").close()
while not os.path.exists("jobs.sock"):
    time.sleep(0.005)
for number in range(8):
    time.sleep(0.25)
    with socket.socket(socket.AF_UNIX) as service:
        service.connect("jobs.sock")
        service.sendall(b"%d\n" % (number if number < 7 else -1))
        service.recv(100)
time.sleep(60)
