"""Takes orders, and answers each at once."""
import socket

with open("/proc/self/comm", "w") as comm:
    comm.write("wholesaler")
server = socket.create_server(("127.0.0.1", 0))
with open("port", "w") as port:
    port.write(str(server.getsockname()[1]))
open("ready", "w").close()
while True:
    florist, _ = server.accept()
    with florist:
        number = 0
        while head := florist.recv(2, socket.MSG_WAITALL):
            florist.recv(head[0] << 8 | head[1], socket.MSG_WAITALL)
            number += 1
            florist.sendall(number.to_bytes(4, "big"))
