# Eight ships come at the same time.
import socket
import threading
import time

port = int(open("port").read())
times = []

def enter_port():
    return socket.create_connection(("127.0.0.1", port))

def ask_for_berth(name):
    start = time.monotonic()
    harbour = enter_port()
    connected = time.monotonic()
    harbour.sendall(name.encode())
    assert harbour.recv(100) == b"berth 4"
    harbour.close()
    times.append((connected - start, time.monotonic() - connected))

start = time.monotonic()
ships = [threading.Thread(target=ask_for_berth, args=(f"ship {n}",)) for n in range(8)]
[ship.start() for ship in ships]
[ship.join() for ship in ships]
with open("truth", "w") as truth:
    truth.write(f"wall {time.monotonic() - start:.3f}\n")
    truth.write(f"slow_connects {sum(one[0] > 0.9 for one in times)}\n")
    truth.write(f"longest_connect {max(one[0] for one in times):.3f}\n")
    truth.write(f"longest_ask {max(one[1] for one in times):.3f}\n")
