# A harbour master with a queue of one: every ship is entered in a book that is safe on the disk before the next is let in.
import os
import socket
import time

master = socket.socket()
master.bind(("127.0.0.1", 0))
master.listen(1)
with open("port.part", "w") as port:
    port.write(str(master.getsockname()[1]))
os.rename("port.part", "port")
book = open("book", "a")
open("ready", "w").close()
while True:
    ship, _ = master.accept()
    name = ship.recv(100)
    book.write(f"{name.decode()}\n")
    book.flush()
    os.fsync(book.fileno())
    time.sleep(0.04)  # He looks for a berth.
    ship.sendall(b"berth 4")
    ship.close()
