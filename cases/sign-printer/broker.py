"""A broker: hands out jobs as people order them (about six per second), and closes for the day after two seconds of them."""
import json, queue, random, threading, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

jobs = queue.Queue()
started = threading.Event()


def customers():
    started.wait()
    r = random.Random(2)
    end = time.monotonic() + 2
    n = 0
    while time.monotonic() < end:
        time.sleep(r.uniform(0.08, 0.25))
        n += 1
        jobs.put({"id": n, "width": 24, "text": "Please close the gate behind you, number " + str(n)})
    jobs.put(None)


class Broker(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1
    disable_nagle_algorithm = True

    def answer(self, text):
        self.send_response(200)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)
        self.wfile.flush()

    def do_GET(self):
        started.set()
        job = jobs.get()
        self.answer(b"closed" if job is None else json.dumps(job).encode())

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.answer(b"thanks")

    def log_message(self, *a):
        pass


threading.Thread(target=customers, daemon=True).start()
s = ThreadingHTTPServer(("127.0.0.1", 12591), Broker)
s.daemon_threads = True
open("ready", "w").close()
s.serve_forever()
