"""Six tellers look up the balances that their customers ask for."""
import contextlib
import os
import queue
import socket
import threading
import time

CONNECTIONS = int(os.environ.get("LEDGER_CONNECTIONS", "1"))


class Ledger:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.replies = self.socket.makefile("r")

    def balance(self, account):
        self.socket.sendall(b"%d\n" % account)
        return int(self.replies.readline().split()[1])


class Ledgers:
    """The connections to the ledger, to be borrowed by the tellers."""

    def __init__(self, path, count):
        self.free = queue.Queue()
        for _ in range(count):
            self.free.put(Ledger(path))

    @contextlib.contextmanager
    def borrow(self):
        ledger = self.free.get()
        try:
            yield ledger
        finally:
            self.free.put(ledger)


class Teller(threading.Thread):
    def __init__(self, number, ledgers, customers):
        super().__init__(name=f"teller-{number}")
        self.ledgers = ledgers
        self.customers = customers
        self.waited = self.asked = 0.0
        self.paid = 0

    def serve(self, account):
        arrived = time.monotonic()
        with self.ledgers.borrow() as ledger:
            borrowed = time.monotonic()
            balance = ledger.balance(account)
        self.waited += borrowed - arrived
        self.asked += time.monotonic() - borrowed
        if balance > 20000:
            self.paid += 1

    def run(self):
        for account in self.customers:
            self.serve(account)


def main():
    ledgers = Ledgers("ledger.sock", CONNECTIONS)
    start = time.monotonic()
    tellers = [Teller(n, ledgers, range(n * 100, n * 100 + 26)) for n in range(6)]
    for teller in tellers:
        teller.start()
    for teller in tellers:
        teller.join()
    wall = time.monotonic() - start
    waited = sum(t.waited for t in tellers)
    asked = sum(t.asked for t in tellers)
    print(sum(t.paid for t in tellers), "customers were paid")
    with open("truth", "w") as truth:
        truth.write(f"seconds {wall:.3f}\nthreads_waited_for_a_ledger {waited / wall:.2f}\nthreads_asking {asked / wall:.2f}\n")


main()
