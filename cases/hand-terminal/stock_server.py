"""Sends the stock list to whoever connects, over and over, as the stock changes."""
import socket

LIST = "".join(f"article {n};{n * 7 % 90} pieces;shelf {n % 40}\n" for n in range(2000)).encode()

with open("/proc/self/comm", "w") as comm:
    comm.write("stock_server")
server = socket.create_server(("127.0.0.1", 0))
with open("port", "w") as port:
    port.write(str(server.getsockname()[1]))
open("ready", "w").close()
while True:
    terminal, _ = server.accept()
    try:
        while True:
            terminal.sendall(LIST)
    except OSError:
        terminal.close()
