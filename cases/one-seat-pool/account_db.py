"""The account database: each query takes 14 ms, and any number of connections can be served."""
import os
import socket
import threading
import time

with open("/proc/self/comm", "w") as comm:
    comm.write("account_db")


def serve(client):
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with client:
        for line in client.makefile("rb"):
            time.sleep(0.014)
            client.sendall(b"balance of %s is %d\n" % (line.strip(), hash(line) % 100000))


listener = socket.create_server(("127.0.0.1", 0))
with open("port", "w") as port:
    port.write(str(listener.getsockname()[1]))
os.rename("port", "ready")
while True:
    threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
