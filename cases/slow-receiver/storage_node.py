"""Takes 64 KB, and is busy with them for 25 ms. Its receive buffer is small, so its clients notice soon."""
import os
import socket
import time

with open("/proc/self/comm", "w") as comm:
    comm.write("storage_node")
listener = socket.socket()
listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 16)
listener.bind(("127.0.0.1", 0))
listener.listen()
with open("port", "w") as port:
    port.write(str(listener.getsockname()[1]))
os.rename("port", "ready")
while True:
    client, _ = listener.accept()
    with client:
        try:
            while client.recv(1 << 16):
                time.sleep(0.025)
        except ConnectionError:
            pass
