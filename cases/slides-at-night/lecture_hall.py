"""Serves the slides of a lecture."""
import http.server

SLIDES = bytes(n * 7 % 251 for n in range(1000)) * 12000


class Slides(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", str(len(SLIDES)))
        self.end_headers()
        self.wfile.write(SLIDES)

    def log_message(self, *_):
        pass


with open("/proc/self/comm", "w") as comm:
    comm.write("lecture_hall")
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Slides)
with open("port", "w") as port:
    port.write(str(server.server_port))
open("ready", "w").close()
server.serve_forever()
