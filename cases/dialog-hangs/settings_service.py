"""Answers questions for settings; it asks all printers first, which takes 0.3 s."""
import socket
import time

with open("/proc/self/comm", "w") as comm:
    comm.write("settings_servic")


def ask_printers():
    time.sleep(0.3)
    return b"laser, ink"


listener = socket.socket(socket.AF_UNIX)
listener.bind("settings.sock")
listener.listen()
open("ready", "w").close()
while True:
    client, _ = listener.accept()
    with client:
        while client.recv(100):
            client.sendall(ask_printers())
