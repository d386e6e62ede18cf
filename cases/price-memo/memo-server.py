"""A cache for prices on this machine: lines "get KEY" and "set KEY VALUE". It looks through its whole list each time."""
import os
import socketserver
import time

entries = [(f"warm{i}", "1") for i in range(150000)]


def find(key):
    for name, value in entries:
        if name == key:
            return value
    return None


def store(key, value):
    entries.append((key, value))
    return "stored"


class Session(socketserver.StreamRequestHandler):
    def handle(self):
        for line in self.rfile:
            words = line.decode().split()
            if words[0] == "get":
                answer = find(words[1]) or "-"
            else:
                answer = store(words[1], words[2])
            self.wfile.write((answer + "\n").encode())


class Server(socketserver.UnixStreamServer):
    allow_reuse_address = True


if os.path.exists("memo.sock"):
    os.unlink("memo.sock")
server = Server("memo.sock", Session)
open("ready", "w").close()
server.serve_forever()
