"""Serves the sections of a dashboard. The exchange rates take 190 ms, all others are there at once."""
import http.server
import os
import time


class Desk(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self):
        if self.path == "/rates":
            time.sleep(0.19)
        text = f"section {self.path}\n".encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Desk)
server.daemon_threads = True
with open("ready.tmp", "w") as ready:
    ready.write(f"127.0.0.1:{server.server_port}")
os.rename("ready.tmp", "ready")
server.serve_forever()
