"""A name server that answers questions for IPv4 addresses at once and drops those for IPv6."""
import os
import socket
import subprocess

subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
server.bind(("127.0.0.53", 53))
with open("ready.new", "w") as f:
    f.write(str(os.getpid()))
os.rename("ready.new", "ready")
while True:
    question, client = server.recvfrom(512)
    end = question.index(b"\0", 12) + 5
    if question[end - 4:end - 2] != b"\0\x01":
        continue
    answer = question[:2] + b"\x81\x80\0\x01\0\x01\0\0\0\0" + question[12:end]
    answer += b"\xc0\x0c\0\x01\0\x01\0\0\0\x3c\0\x04" + bytes([127, 0, 0, 1])
    server.sendto(answer, client)
