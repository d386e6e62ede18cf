"""Measures how far the clock is off, by questions to a time server."""
import argparse
import socket
import struct
import time


def offset(sock, number):
    sent = time.time()
    sock.send(struct.pack("!q", number))
    server_time = struct.unpack("!d", sock.recv(48)[8:])[0]
    received = time.time()
    return server_time - (sent + received) / 2, received - sent


parser = argparse.ArgumentParser()
parser.add_argument("--every", type=float, default=1.0)
parser.add_argument("--questions", type=int, default=5)
options = parser.parse_args()
with open("ready") as file:
    port = int(file.read())
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
    sock.settimeout(1)
    sock.connect(("127.0.0.1", port))
    measured = []
    for number in range(options.questions):
        measured.append(offset(sock, number))
        time.sleep(options.every)
with open("truth", "w") as truth:
    truth.write(f"slowest_answer_ms {max(took for _, took in measured) * 1000:.2f}\n")
