"""The chat of a choir: it takes its time for each announcement, because it waits for a phone service."""
import http.server
import time


class Hook(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        time.sleep(0.9)
        self.send_response(204)
        self.end_headers()

    def log_message(self, *args):
        pass


server = http.server.HTTPServer(("127.0.0.1", 18521), Hook)
open("ready", "w").close()
server.serve_forever()
