"""A name server that knows the forge, but takes its time, and a forge that serves repositories by plain HTTP."""
import functools
import http.server
import os
import socket
import struct
import threading
import time


def answer(query):
    end = query.index(b"\0", 12) + 5
    kind = struct.unpack(">H", query[end - 4:end - 2])[0]
    question = query[12:end]
    body = b""
    if kind == 1:
        body = b"\xc0\x0c" + struct.pack(">HHIH", 1, 1, 0, 4) + bytes([127, 0, 0, 1])
    return query[:2] + struct.pack(">HHHHH", 0x8180, 1, 1 if body else 0, 0, 0) + question + body


def serve_names(sock):
    def late(query, who):
        time.sleep(0.35)
        sock.sendto(answer(query), who)

    while True:
        query, who = sock.recvfrom(1500)
        threading.Thread(target=late, args=(query, who), daemon=True).start()


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass


class Forge(http.server.ThreadingHTTPServer):
    def server_bind(self):
        http.server.socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = "forge", 18505


names = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
names.bind(("127.0.0.77", 53))
threading.Thread(target=serve_names, args=(names,), daemon=True).start()
forge = Forge(("127.0.0.1", 18505), functools.partial(Quiet, directory=os.getcwd() + "/forge"))
open("ready", "w").close()
forge.serve_forever()
