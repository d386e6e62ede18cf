"""Reads customers from a database, or from a local copy if it does not answer. The database's machine is gone, but each
query tries it first."""
import socket
import time

copy = {n: f"customer {n}" for n in range(100)}
database = ("192.0.2.20", 5432)
waited, given_up = 0.0, 0


def connect_to_database():
    return socket.create_connection(database, timeout=0.4)


def query(number):
    global waited, given_up
    before = time.monotonic()
    try:
        with connect_to_database() as connection:
            connection.sendall(b"customer %d\n" % number)
            return connection.recv(100)
    except TimeoutError:
        waited += time.monotonic() - before
        given_up += 1
        return copy[number % 100]


start, queries = time.monotonic(), 0
while time.monotonic() - start < 2:
    query(queries)
    queries += 1
with open("truth", "w") as truth:
    truth.write(f"waited {waited / (time.monotonic() - start):.3f}\nqueries {queries}\ngiven_up {given_up}\n")
