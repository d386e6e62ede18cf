#!/usr/bin/env python3
"""Brings the readings of meters into the register, one connection for each."""
import socket
import time

REGISTER = ("127.0.0.1", 8400)


class Register:
    def __init__(self):
        self.pauses = 0

    def connect(self):
        while True:
            try:
                return socket.create_connection(REGISTER, timeout=2)
            except OSError:
                self.pauses += 1
                time.sleep(0.05)

    def put(self, meter, reading):
        with self.connect() as c:
            c.sendall(f"{meter} {reading}\n".encode())
            return c.recv(200).startswith(b"ok")


def readings():
    n = 0
    while True:
        yield f"meter-{n % 400}", 1000 + n * 7 % 333
        n += 1


def main():
    register = Register()
    begin = time.monotonic()
    done = 0
    for meter, reading in readings():
        if time.monotonic() > begin + 1.9:
            break
        done += register.put(meter, reading)
    print(done, "readings,", register.pauses, "pauses")


main()
