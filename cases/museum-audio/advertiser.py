"""A server of advertisements that takes connections, and has nothing to say."""
import socket

with open("/proc/self/comm", "w") as comm:
    comm.write("advertiser")
server = socket.create_server(("127.0.0.1", 0))
with open("port", "w") as port:
    port.write(str(server.getsockname()[1]))
open("ready", "w").close()
guests = []
while True:
    guests.append(server.accept())
    del guests[:-4]
