"""Two name servers of an office: the first one was moved to another net and its socket is read, but not answered."""
import os
import select
import socket

with open("/proc/self/comm", "w") as comm:
    comm.write("name_servers")
servers = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2)]
for server in servers:
    server.bind(("127.0.0.1", 0))
with open("ready.part", "w") as ready:
    ready.write(" ".join(str(server.getsockname()[1]) for server in servers))
os.rename("ready.part", "ready")
while True:
    for server in select.select(servers, [], [])[0]:
        question, address = server.recvfrom(512)
        if server is servers[1]:
            server.sendto(question[:2] + bytes([10, 0, question[2] % 250, len(question)]), address)
