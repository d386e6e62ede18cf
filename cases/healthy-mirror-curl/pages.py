"""Serves the pages of a club, ready-made."""
import http.server

PAGES = [f"<h1>Page {n}</h1>\n".encode() * 400 for n in range(100)]


class Pages(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1

    def do_GET(self):
        page = PAGES[int(self.path.rsplit("-", 1)[1]) % 100]
        self.send_response(200)
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, *_):
        pass


with open("/proc/self/comm", "w") as comm:
    comm.write("pages")
server = http.server.HTTPServer(("127.0.0.1", 0), Pages)
with open("port", "w") as port:
    port.write(str(server.server_port))
open("ready", "w").close()
server.serve_forever()
