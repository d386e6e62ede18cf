# The office's name server: looks names up in the zone transfer of the day, over a slow line.
import socket
import struct
import time


def lookup(question):
    time.sleep(0.03)
    return bytes((192, 0, 2, sum(question) % 250 + 1))


def answer(query):
    end = 12
    while query[end]:
        end += query[end] + 1
    question = query[12:end + 5]
    kind = struct.unpack(">H", question[-4:-2])[0]
    found = kind == 1
    head = query[:2] + struct.pack(">HHHHH", 0x8580, 1, 1 if found else 0, 0, 0)
    record = b"\xc0\x0c" + struct.pack(">HHIH", 1, 1, 300, 4) + lookup(question) if found else b""
    return head + question + record


server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
server.bind(("127.0.0.1", 15353))
open("ready", "w").close()
while True:
    query, sender = server.recvfrom(512)
    server.sendto(answer(query), sender)
