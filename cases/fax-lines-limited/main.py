"""Sends faxes; a process for each keeps a line open. At most ten at once are wanted."""
import os
import time

LINES = 10


class Exchange:
    def __init__(self):
        self.running = set()
        self.sent = 0
        self.failures = 0
        self.without_process = 0.0

    def reap(self):
        while self.running:
            pid, _ = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return
            self.running.discard(pid)
            self.sent += 1

    def start_fax(self, number):
        before = time.perf_counter()
        while True:
            self.reap()
            try:
                pid = os.fork()
                break
            except BlockingIOError:
                self.failures += 1
                time.sleep(0.01)
        if pid == 0:
            send_fax(number)
            os._exit(0)
        self.running.add(pid)
        self.without_process += time.perf_counter() - before

    def wait_for_line(self):
        while len(self.running) >= LINES:
            pid, _ = os.waitpid(-1, 0)
            self.running.discard(pid)
            self.sent += 1


def send_fax(number):
    time.sleep(0.15 + number % 3 * 0.01)


def main():
    exchange = Exchange()
    start = time.perf_counter()
    number = 0
    while time.perf_counter() - start < 2:
        exchange.wait_for_line()
        exchange.start_fax(number)
        number += 1
    wall = time.perf_counter() - start
    while exchange.running:
        exchange.running.discard(os.waitpid(-1, 0)[0])
    with open("truth", "w") as truth:
        truth.write(f"starting {exchange.without_process / wall:.3f}\nfailed_forks {exchange.failures}\nfaxes {number}\n")


main()
