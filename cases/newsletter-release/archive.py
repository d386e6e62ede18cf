"""The archive of the parish: keeps issues, and stamps each with care."""
import http.server
import os
import time


class Archive(http.server.BaseHTTPRequestHandler):
    def do_PUT(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        time.sleep(0.55)
        self.send_response(201)
        self.send_header("Content-Length", "3")
        self.end_headers()
        self.wfile.write(b"ok\n")

    def log_message(self, *_):
        pass


server = http.server.HTTPServer(("127.0.0.1", 0), Archive)
with open("ready.new", "w") as f:
    f.write(str(server.server_port))
os.rename("ready.new", "ready")
server.serve_forever()
