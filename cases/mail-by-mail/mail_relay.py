"""A mail relay. It greets after 30 ms, which keeps careless senders away, and then answers at once."""
import os
import socket
import threading
import time

GREET_PAUSE = 0.03

with open("/proc/self/comm", "w") as comm:
    comm.write("mail_relay")


def take_mail(reader):
    while (line := reader.readline()) not in (b".\r\n", b""):
        pass


def talk(client):
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    time.sleep(GREET_PAUSE)
    client.sendall(b"220 relay.example.org\r\n")
    reader = client.makefile("rb")
    while line := reader.readline():
        word = line[:4].upper()
        if word == b"DATA":
            client.sendall(b"354 go on\r\n")
            take_mail(reader)
        client.sendall(b"221 bye\r\n" if word == b"QUIT" else b"250 ok\r\n")
    client.close()


listener = socket.create_server(("127.0.0.1", 0))
with open("port", "w") as port:
    port.write(str(listener.getsockname()[1]))
os.rename("port", "ready")
while True:
    threading.Thread(target=talk, args=(listener.accept()[0],), daemon=True).start()
