"""Knows what is in stock, in a list."""
import os
import socket


def make_stock():
    return [(f"Article {n} in {colour}", n % 5) for n in range(60000) for colour in ("blue",)]


def find_article(stock, wanted):
    for name, amount in stock:
        if name.lower() == wanted:
            return amount
    return 0


def serve(client, stock):
    for line in client.makefile():
        client.sendall(f"{find_article(stock, line.strip().lower())}\n".encode())


with open("/proc/self/comm", "w") as comm:
    comm.write("stock_service")
stock = make_stock()
listener = socket.socket(socket.AF_UNIX)
listener.bind("stock.sock")
listener.listen()
open("ready", "w").close()
while True:
    client, _ = listener.accept()
    with client:
        serve(client, stock)
