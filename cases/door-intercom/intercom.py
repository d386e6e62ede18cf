"""An intercom that mixes a melody for each ring before it takes the next one."""
import os
import socket
import time


def mix_melody(text):
    end, tone = time.perf_counter() + 0.025, 0
    while time.perf_counter() < end:
        for letter in text:
            tone = (tone * 33 + letter) % 4801
    return tone


with open("/proc/self/comm", "w") as comm:
    comm.write("intercom")
server = socket.socket(socket.AF_UNIX)
server.bind("intercom.sock")
server.listen(1)
open("ready", "w").close()
while True:
    ringing, _ = server.accept()
    mix_melody(ringing.recv(100))
    ringing.close()
