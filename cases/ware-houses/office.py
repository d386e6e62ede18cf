"""The office's name server, and the web servers of the warehouses."""
import http.server
import os
import socket
import struct
import threading


def answer_names(sock):
    """Knows IPv4 addresses only; other questions go to a server that does not exist any more."""
    while True:
        query, peer = sock.recvfrom(512)
        end = query.index(b"\0", 12) + 5
        kind = struct.unpack("!H", query[end - 4 : end - 2])[0]
        if kind != 1:
            continue
        header = query[:2] + struct.pack("!5H", 0x8580, 1, 1, 0, 0)
        record = b"\xc0\x0c" + struct.pack("!2HIH", 1, 1, 60, 4) + bytes([127, 0, 0, 1])
        sock.sendto(header + query[12:end] + record, peer)


class Stock(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = str(len(self.headers["Host"]) * 11).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


names = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
names.bind(("127.0.0.1", 53))
threading.Thread(target=answer_names, args=(names,), daemon=True).start()
server = http.server.ThreadingHTTPServer(("127.0.0.1", 8095), Stock)
open("served", "w").close()
server.serve_forever()
