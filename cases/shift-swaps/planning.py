"""The planning service; time clocks change each plan all the time, so its version is new every millisecond or so."""
import json, threading, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

plan = {f"{d:02}-{s}": f"nurse {(d * 3 + i) % 17}" for d in range(28) for i, s in enumerate(("early", "late", "night"))}
version = 0


def clocks():
    global version
    while True:
        for _ in range(500):
            version += 1
            time.sleep(0.001)
        time.sleep(0.03)


class Plan(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1
    disable_nagle_algorithm = True

    def answer(self, code, text):
        self.send_response(code)
        self.send_header("ETag", str(version))
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)
        self.wfile.flush()

    def do_GET(self):
        self.answer(200, json.dumps(plan).encode())

    def do_PUT(self):
        global version
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers["If-Match"] != str(version):
            return self.answer(412, b"")
        plan.update(json.loads(body))
        version += 1
        self.answer(204, b"")

    def log_message(self, *a):
        pass


threading.Thread(target=clocks, daemon=True).start()
s = ThreadingHTTPServer(("127.0.0.1", 12592), Plan)
s.daemon_threads = True
open("ready", "w").close()
s.serve_forever()
