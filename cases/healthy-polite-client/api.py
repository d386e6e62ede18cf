"""The interface of an observatory: answers at once, but only a few times in a row, and then says how long to wait."""
import json
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

left, since = 6, time.monotonic()


class Observatory(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1

    def do_GET(self):
        global left, since
        if time.monotonic() - since > 0.5:
            left, since = 6, time.monotonic()
        left -= 1
        body = json.dumps({"star": self.path[1:], "magnitude": len(self.path) / 3}).encode() if left >= 0 else b"{}"
        self.send_response(200 if left >= 0 else 429)
        if left < 0:
            self.send_header("Retry-After-Ms", "520")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()

    def log_message(self, *unused):
        pass


with open("/proc/self/comm", "w") as comm:
    comm.write("observatory")
server = ThreadingHTTPServer(("127.0.0.1", 0), Observatory)
with open("port", "w") as f:
    f.write(str(server.server_port))
open("ready", "w").close()
server.serve_forever()
