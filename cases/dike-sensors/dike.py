"""The station of a dike. It filters 60,000 measurements for each question, in its only thread."""
import os
import socket

with open("/proc/self/comm", "w") as comm:
    comm.write("dike_station")
if os.path.exists("dike.sock"):
    os.unlink("dike.sock")
server = socket.socket(socket.AF_UNIX)
server.bind("dike.sock")
server.listen()
open("ready", "w").close()


def smooth_level(sensor):
    level = 300.0
    for n in range(60_000):
        level += ((n * 31 + sensor) % 17 - 8) / (10 + n)
    return int(level)


while True:
    caller, _ = server.accept()
    with caller:
        while question := caller.recv(100):
            caller.sendall(b"%d\n" % smooth_level(int(question.split()[1])))
