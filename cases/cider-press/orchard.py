"""An orchard that needs 100 ms per basket."""
import socket
import time

with open("/proc/self/comm", "w") as comm:
    comm.write("orchard")
server = socket.create_server(("127.0.0.1", 0))
with open("port", "w") as port:
    port.write(str(server.getsockname()[1]))
open("ready", "w").close()
while True:
    client, _ = server.accept()
    with client:
        while client.recv(100):
            time.sleep(0.1)
            client.sendall(b"o" * 40)
