"""Two mirrors of a package archive. The first one is stuck: its queue is full and nobody accepts. The second serves."""
import http.server
import socket
import threading

stuck = socket.socket()
stuck.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
stuck.bind(("127.0.0.9", 18473))
stuck.listen(0)
fill = []
for _ in range(3):
    s = socket.socket()
    s.setblocking(False)
    try:
        s.connect(("127.0.0.9", 18473))
    except BlockingIOError:
        pass
    fill.append(s)


class Archive(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = (self.path * 200).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 18473), Archive)
threading.Timer(0.1, lambda: open("ready", "w").close()).start()
server.serve_forever()
