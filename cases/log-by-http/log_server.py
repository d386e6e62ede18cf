"""Collects the log records of all programs of a parcel centre, and looks for known faults in each."""
import http.server
import time


def look_for_faults(record):
    end, mark = time.perf_counter() + 0.015, 0
    while time.perf_counter() < end:
        for letter in record:
            mark = (mark * 33 + letter) % 65521
    return mark


class Collector(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        look_for_faults(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


with open("/proc/self/comm", "w") as comm:
    comm.write("log_server")
server = http.server.HTTPServer(("127.0.0.1", 0), Collector)
with open("port", "w") as port:
    port.write(str(server.server_port))
open("ready", "w").close()
server.serve_forever()
