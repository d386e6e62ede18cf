"""Makes offers for shipments: packs the goods into boxes, then asks a carrier on this machine for the price."""
import itertools
import socket
import time

packing = 0.0
asking = 0.0


def boxes_needed(order, capacity=20):
    boxes, left = 1, capacity
    for size in order:
        if size > left:
            boxes, left = boxes + 1, capacity
        left -= size
    return boxes


def pack_goods(goods):
    """Tries all orders in which the goods can be packed."""
    global packing
    before = time.monotonic()
    fewest = min(boxes_needed(order) for order in itertools.permutations(goods))
    packing += time.monotonic() - before
    return fewest


class Carrier:
    def __init__(self):
        with open("port") as port:
            self.connection = socket.create_connection(("127.0.0.1", int(port.read())))
        self.answers = self.connection.makefile()

    def ask_price(self, boxes, postcode):
        global asking
        before = time.monotonic()
        self.connection.sendall(f"{boxes} {postcode}\n".encode())
        price = float(self.answers.readline())
        asking += time.monotonic() - before
        return price


def make_offer(carrier, number):
    goods = [3 + (number * 7 + n * 5) % 13 for n in range(8)]
    return carrier.ask_price(pack_goods(goods), 10000 + number * 31 % 89999)


def main():
    carrier = Carrier()
    start = time.monotonic()
    offers = 0
    with open("offers.csv", "w") as out:
        while time.monotonic() - start < 2:
            out.write(f"{offers};{make_offer(carrier, offers):.2f}\n")
            offers += 1
    wall = time.monotonic() - start
    with open("truth", "w") as truth:
        truth.write(f"packing {packing / wall:.3f}\nasking {asking / wall:.3f}\noffers {offers}\n")


main()
