"""The gateway of a ferry line: asks the fares office for the price of a passage, and the archive if it must."""
import http.server
import socket
import socketserver
import threading
import time

OFFICE = ("127.0.0.1", 18741)
ARCHIVE = {"%s-%s" % (a, b): 12.5 + 3 * len(a) for a in ("Husum", "Amrum", "Sylt") for b in ("Hallig", "Pellworm")}


def ask_office(route):
    for attempt in range(3):
        try:
            with socket.create_connection(OFFICE, timeout=1) as line:
                line.sendall(route.encode())
                return float(line.recv(64))
        except OSError:
            time.sleep(0.04 * (attempt + 1))
    return None


def fare_of(route):
    fare = ask_office(route)
    if fare is None:
        fare = ARCHIVE.get(route, 20.0)
    return fare


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        body = b"%.2f" % fare_of(self.path.strip("/"))
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, form, *values):
        pass


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True


server = Server(("127.0.0.1", 18742), Handler)
threading.Timer(0.05, lambda: open("ready", "w").close()).start()
server.serve_forever()
