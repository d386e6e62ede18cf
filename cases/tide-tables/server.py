"""Serves the tide tables of some harbours over connections that stay open."""
import json
import os
from http.server import BaseHTTPRequestHandler
from socketserver import ThreadingTCPServer


class Tides(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        harbour = int(self.path.rpartition("/")[2])
        table = [{"hour": hour, "cm": (harbour * 31 + hour * hour * 7) % 420} for hour in range(24)]
        body = json.dumps(table).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format, *arguments):
        pass


with ThreadingTCPServer(("127.0.0.1", 0), Tides) as server:
    with open("port", "w") as port:
        port.write(str(server.server_address[1]))
    os.rename("port", "ready")
    server.serve_forever()
