"""Takes documents into an archive; an old HTTP/1.0 server, which does not know the header Expect."""
from http.server import BaseHTTPRequestHandler, HTTPServer


class Archive(BaseHTTPRequestHandler):
    def do_PUT(self):
        document = self.rfile.read(int(self.headers["Content-Length"]))
        answer = b"%d bytes kept" % len(document)
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *unused):
        pass


with open("/proc/self/comm", "w") as comm:
    comm.write("archive_server")
server = HTTPServer(("127.0.0.1", 0), Archive)
with open("port", "w") as f:
    f.write(str(server.server_port))
open("ready", "w").close()
server.serve_forever()
