# Visitors come one after the other for two seconds, each with a connection of its own.
import socket
import time

port = int(open("port").read())
connecting, asking = [], []

def hand_in_coat(number):
    start = time.monotonic()
    with socket.create_connection(("127.0.0.1", port)) as cloakroom:
        connecting.append(time.monotonic() - start)
        cloakroom.sendall(f"coat {number}".encode())
        assert cloakroom.recv(100) == b"number 9"
    asking.append(time.monotonic() - start - connecting[-1])

start, visitors = time.monotonic(), 0
while time.monotonic() - start < 2:
    hand_in_coat(visitors)
    visitors += 1
with open("truth", "w") as truth:
    truth.write(f"visitors {visitors}\nlongest_connect {max(connecting):.4f}\n")
    truth.write(f"asking {sum(asking) / (time.monotonic() - start):.3f}\n")
