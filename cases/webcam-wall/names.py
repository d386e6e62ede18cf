"""A name server behind a slow line (0.3 s for each answer), and the cameras, which answer at once."""
import heapq, os, select, socket, struct, threading, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PICTURE = os.urandom(20000)


class Camera(BaseHTTPRequestHandler):
    disable_nagle_algorithm = True
    wbufsize = -1

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", str(len(PICTURE)))
        self.end_headers()
        self.wfile.write(PICTURE)

    def log_message(self, *a):
        pass


cameras = ThreadingHTTPServer(("127.0.0.1", 12594), Camera)
cameras.daemon_threads = True
threading.Thread(target=cameras.serve_forever, daemon=True).start()

s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.bind(("127.0.0.85", 53))
open("ready", "w").close()
queue, n = [], 0
while True:
    wait = max(0, queue[0][0] - time.monotonic()) if queue else 5
    if select.select([s], [], [], wait)[0]:
        q, who = s.recvfrom(512)
        end = 12
        while q[end]:
            end += q[end] + 1
        end += 5
        kind = struct.unpack(">H", q[end - 4:end - 2])[0]
        a = q[:2] + b"\x81\x80" + struct.pack(">HHHH", 1, int(kind == 1), 0, 0) + q[12:end]
        if kind == 1:
            a += b"\xc0\x0c\x00\x01\x00\x01\x00\x00\x00\x3c\x00\x04\x7f\x00\x00\x01"
        n += 1
        heapq.heappush(queue, (time.monotonic() + 0.3, n, a, who))
    while queue and queue[0][0] <= time.monotonic():
        _, _, a, who = heapq.heappop(queue)
        s.sendto(a, who)
