"""Knows the town of each postcode. A customer gets no more than 20 answers per second."""
import http.server
import os
import time


class Allowance:
    def __init__(self, per_second):
        self.gap = 1 / per_second
        self.next = time.monotonic()

    def hold_back(self):
        left = self.next - time.monotonic()
        if left > 0:
            time.sleep(left)
        self.next = max(self.next, time.monotonic()) + self.gap


allowance = Allowance(20)


class Postcodes(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self):
        allowance.hold_back()
        town = f"Town {int(self.path.rsplit('/', 1)[1]) % 977}\n".encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(town)))
        self.end_headers()
        self.wfile.write(town)

    def log_message(self, *_):
        pass


with open("/proc/self/comm", "w") as comm:
    comm.write("postcode_server")
server = http.server.HTTPServer(("127.0.0.1", 0), Postcodes)
with open("port", "w") as port:
    port.write(str(server.server_port))
open("ready", "w").close()
server.serve_forever()
