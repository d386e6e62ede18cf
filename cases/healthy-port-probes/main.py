"""Watches ports: asks every N milliseconds, R times, which of them are open. Usage: main.py N R FIRST-PORT NUMBER"""
import socket
import sys
import time


def is_open(port):
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def probe_ports(ports):
    return [port for port in ports if is_open(port)]


def main():
    pause, rounds, first, number = (int(word) for word in sys.argv[1:])
    start, probing, found = time.monotonic(), 0.0, 0
    for turn in range(rounds):
        time.sleep(max(0.0, start + turn * pause / 1000 - time.monotonic()))
        before = time.monotonic()
        found += len(probe_ports(range(first, first + number)))
        probing += time.monotonic() - before
    took = time.monotonic() - start
    with open("truth", "w") as truth:
        truth.write(f"probing {probing / took:.3f}\nopen {found}\n")


main()
