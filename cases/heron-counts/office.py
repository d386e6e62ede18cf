"""The collecting office: refuses each report four times, because its database is being moved."""
import collections
import http.server
import pathlib

seen = collections.Counter()


class Office(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        report = self.rfile.read(int(self.headers["Content-Length"]))
        seen[report] += 1
        self.send_response(200 if seen[report] > 4 else 503)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *args):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Office)
pathlib.Path("office.url").write_text(f"http://127.0.0.1:{server.server_port}/reports")
pathlib.Path("ready").touch()
server.serve_forever()
