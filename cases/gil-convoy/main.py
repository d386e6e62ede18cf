"""A service with one thread for its client and one that computes a report. After each wait for the client the first
must get the interpreter's lock back, which the second gives away every 5 ms only."""
import os
import socket
import threading
import time

over = threading.Event()
requests, serving, figures = 0, 0.0, 0


def compute_report():
    global figures
    while not over.is_set():
        total = 0
        for n in range(20_000):
            total = (total * 31 + n) % 10_007
        figures += 1


def serve(client, until):
    global requests
    while time.monotonic() < until:
        question = client.recv(100)
        client.sendall(b"answer to " + question)
        requests += 1


listener = socket.create_server(("127.0.0.1", 0))
with open("port.part", "w") as port:
    port.write(str(listener.getsockname()[1]))
os.rename("port.part", "port")
client, _ = listener.accept()
client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
start = time.monotonic()
serve(client, start + 0.2)
alone, requests = requests / 0.2, 0
report = threading.Thread(target=compute_report, name="report")
report.start()
start = time.monotonic()
serve(client, start + 2)
busy = requests / (time.monotonic() - start)
over.set()
report.join()
with open("truth", "w") as truth:
    truth.write(f"requests_per_second_alone {alone:.0f}\nrequests_per_second_beside_the_report {busy:.0f}\n"
                f"figures {figures}\n")
