"""A name server that knows no names: it says so after a trip upstream."""
import os
import socket
import subprocess
import time

subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
server.bind(("127.0.0.53", 53))
with open("ready.new", "w") as f:
    f.write(str(os.getpid()))
os.rename("ready.new", "ready")
while True:
    question, client = server.recvfrom(512)
    end = question.index(b"\0", 12) + 5
    time.sleep(0.035)
    server.sendto(question[:2] + b"\x81\x83\0\x01\0\0\0\0\0\0" + question[12:end], client)
