"""The monitor of a lift: it listens 1.7 s after the lift has started."""
import os
import socket
import time

with open("/proc/self/comm", "w") as comm:
    comm.write("lift_monitor")
monitor = socket.socket()
monitor.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
monitor.bind(("127.0.0.1", 0))
with open("port", "w") as port:
    port.write(str(monitor.getsockname()[1]))
open("ready", "w").close()
while not os.path.exists("lift-up"):
    time.sleep(0.02)
time.sleep(1.7)
monitor.listen()
while True:
    lift, _ = monitor.accept()
    lift.recv(100)
    lift.close()
