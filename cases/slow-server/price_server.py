"""A price server that computes 60 ms for each answer."""
import socket
import time
import os


def compute_price(question):
    until, price = time.process_time() + 0.06, len(question)
    while time.process_time() < until:
        price = (price * 31 + 7) % 10_007
    return price


with open("/proc/self/comm", "w") as comm:
    comm.write("price_server")
listener = socket.create_server(("127.0.0.1", 0))
with open("ready.part", "w") as ready:
    ready.write(str(listener.getsockname()[1]))
os.rename("ready.part", "ready")
while True:
    client, _ = listener.accept()
    with client:
        while question := client.recv(1500):
            client.sendall(f"{compute_price(question)}\n".encode())
