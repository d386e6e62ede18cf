"""The price list: answers GET /price/N. Looks each price up in the accounting, which takes 12 ms."""
import os
import socket
import threading
import time

with open("/proc/self/comm", "w") as comm:
    comm.write("price_list")


def look_up(article):
    time.sleep(0.012)
    return 100 + article * 7919 % 5000


def serve(client):
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    reader = client.makefile("rb")
    while True:
        head = []
        while (line := reader.readline()) not in (b"\r\n", b""):
            head.append(line)
        if not head:
            return
        article = int(head[0].split()[1].rsplit(b"/", 1)[1])
        body = b"%d\n" % look_up(article)
        client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))


listener = socket.create_server(("127.0.0.1", 0))
with open("port", "w") as port:
    port.write(str(listener.getsockname()[1]))
os.rename("port", "ready")
while True:
    threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
