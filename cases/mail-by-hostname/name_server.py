"""Answers questions for addresses: IPv4 from a table at once, IPv6 from a server far away, which takes 90 ms."""
import socket
import struct
import time


def ask_upstream(name):
    time.sleep(0.09)
    return b""


def answer(question):
    end = 12
    while question[end]:
        end += question[end] + 1
    name, kind = question[12:end + 1], struct.unpack(">H", question[end + 1:end + 3])[0]
    record = b""
    if kind == 1:
        record = b"\xc0\x0c" + struct.pack(">HHIH", 1, 1, 60, 4) + bytes([10, 0, 7, len(name)])
    elif kind == 28:
        record = ask_upstream(name)
    return question[:2] + struct.pack(">HHHHH", 0x8180, 1, 1 if record else 0, 0, 0) + question[12:end + 5] + record


with open("/proc/self/comm", "w") as comm:
    comm.write("name-server")
port = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
port.bind(("127.0.0.77", 53))
with open("resolv.conf", "w") as conf:
    conf.write("nameserver 127.0.0.77\noptions timeout:2\n")
open("ready", "w").close()
while True:
    question, client = port.recvfrom(1500)
    port.sendto(answer(question), client)
