"""Two name servers: the first reads and never answers, the second knows every name of lights.test."""
import socket
import time


def answer_to(question):
    end = 12
    while question[end]:
        end += 1 + question[end]
    kind = int.from_bytes(question[end + 1:end + 3], "big")
    head, body = question[:2] + b"\x81\x80\0\1", question[12:end + 5]
    if kind == 1:
        return head + b"\0\1\0\0\0\0" + body + b"\xc0\x0c\0\1\0\1\0\0\0\0\0\4\xc0\0\2\x09"
    return head + b"\0\0\0\0\0\0" + body


gone, here = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2))
gone.bind(("127.9.7.1", 53))
here.bind(("127.9.7.2", 53))
open("ready", "w").close()
end = time.monotonic() + 60
while time.monotonic() < end:
    question, client = here.recvfrom(512)
    here.sendto(answer_to(question), client)
