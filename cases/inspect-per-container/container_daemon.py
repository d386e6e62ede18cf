"""Knows 100 containers, and needs 18 ms for each answer, because it asks its storage first."""
import http.server
import json
import os
import socketserver
import time


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def address_string(self):
        return "client"

    def log_message(self, *_):
        pass

    def do_GET(self):
        time.sleep(0.018)
        parts = self.path.split("/")
        if len(parts) == 3:
            answer = [f"c{number:04}" for number in range(100)]
        else:
            answer = {"name": f"/shop-{parts[2]}", "state": "running", "image": "shop:1.7"}
        body = json.dumps(answer).encode()
        self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
                         % (len(body), body))


with open("/proc/self/comm", "w") as comm:
    comm.write("container_daemon"[:15])
with socketserver.UnixStreamServer("engine.sock", Handler) as server:
    open("ready", "w").close()
    server.serve_forever()
