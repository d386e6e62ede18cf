"""Checks for each line of the open orders whether the article is in stock; a service on this machine knows."""
import socket
import time

waited = 0.0


class Stock:
    def __init__(self, path):
        self.connection = socket.socket(socket.AF_UNIX)
        self.connection.connect(path)
        self.answers = self.connection.makefile()

    def ask_amount(self, article):
        global waited
        before = time.monotonic()
        self.connection.sendall(f"{article}\n".encode())
        amount = int(self.answers.readline())
        waited += time.monotonic() - before
        return amount


def order_lines():
    number = 0
    while True:
        yield number // 3, f"article {number * 7919 % 60000} in blue", 1 + number % 4
        number += 1


def check_orders(stock, report, seconds):
    start = time.monotonic()
    lines = missing = 0
    for order, article, amount in order_lines():
        if time.monotonic() - start > seconds:
            break
        if stock.ask_amount(article) < amount:
            report.write(f"order {order}: not enough of {article}\n")
            missing += 1
        lines += 1
    return lines, missing, time.monotonic() - start


def main():
    stock = Stock("stock.sock")
    with open("missing.txt", "w") as report:
        lines, missing, wall = check_orders(stock, report, 2)
    with open("truth", "w") as truth:
        truth.write(f"waited {waited / wall:.3f}\nlines {lines}\nmissing {missing}\n")


main()
