"""The tiles of a hiking map, from memory."""
import http.server
import threading

TILES = {"/%d/%d.png" % (x, y): bytes([x, y]) * 700 for x in range(40) for y in range(40)}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1

    def do_GET(self):
        tile = TILES.get(self.path, b"")
        self.send_response(200 if tile else 404)
        self.send_header("Content-Length", str(len(tile)))
        self.end_headers()
        self.wfile.write(tile)

    def log_message(self, form, *values):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 18744), Handler)
server.daemon_threads = True
threading.Timer(0.05, lambda: open("ready", "w").close()).start()
server.serve_forever()
