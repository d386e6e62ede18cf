"""Tells where the trams are; the answer is ready."""
import socket

with open("/proc/self/comm", "w") as comm:
    comm.write("trams")
answer = b"".join(b"tram %d is at stop %d of line %d\n" % (n, n * 31 % 40, n % 12) for n in range(2000))
server = socket.create_server(("127.0.0.1", 0))
with open("port", "w") as port:
    port.write(str(server.getsockname()[1]))
open("ready", "w").close()
while True:
    client, _ = server.accept()
    with client:
        while client.recv(100):
            client.sendall(answer)
