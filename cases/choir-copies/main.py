"""Answers the singers of a choir who ask for a part: eight at a time, each part is printed by the parish's press."""
import concurrent.futures
import socket
import threading
import time

SECONDS = 2.0
PRESSES = threading.BoundedSemaphore(1)


class Press(threading.Thread):
    """The press of the parish: prints any number of parts at once, 30 ms each."""

    def __init__(self):
        super().__init__(daemon=True, name="press")
        self.listener = socket.create_server(("127.0.0.1", 18745))

    def run(self):
        while True:
            line, _ = self.listener.accept()
            threading.Timer(0.03, self.answer, [line]).start()

    @staticmethod
    def answer(line):
        with line:
            line.sendall(b"printed\n")


def print_part(singer, part):
    with PRESSES:
        with socket.create_connection(("127.0.0.1", 18745)) as line:
            return line.recv(100) + b"%d %d" % (singer, part)


def singer(number, until):
    parts = 0
    while time.perf_counter() < until:
        print_part(number, parts)
        parts += 1
    return parts


def main():
    Press().start()
    until = time.perf_counter() + SECONDS
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        counts = list(pool.map(lambda number: singer(number, until), range(8)))
    print(sum(counts), "parts for", len(counts), "singers")


main()
