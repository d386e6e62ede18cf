"""A name server that knows IPv4 addresses only, and says nothing to questions for others, as some old routers do."""
import socket

with open("/proc/self/comm", "w") as comm:
    comm.write("name_server")
server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
server.bind(("127.0.0.1", 0))
with open("port", "w") as f:
    f.write(str(server.getsockname()[1]))
open("ready", "w").close()
while True:
    question, client = server.recvfrom(512)
    end = question.index(b"\0", 12) + 5
    if question[end - 4 : end - 2] == b"\0\1":
        answer = b"\xc0\x0c\0\1\0\1\0\0\0\x3c\0\4\x7f\0\0\1"
        server.sendto(question[:2] + b"\x81\x80\0\1\0\1\0\0\0\0" + question[12:end] + answer, client)
