"""The web site of a parish: it sends its bulletins as they are, without saying which letters they use."""
import http.server
import random
import socketserver

WORDS = "gemeinde über glocke straße früh müde jäger öl kirche orgel chor frühling fluß größe maß turm uhr nacht".split()


def bulletin(number):
    rng = random.Random(number)
    lines = (" ".join(rng.choice(WORDS) for _ in range(12)) for _ in range(1400))
    return "\n".join(lines).encode("latin-1")


PAGES = [bulletin(number) for number in range(24)]


class Site(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self):
        body = PAGES[int(self.path.rsplit("/", 1)[1]) % len(PAGES)]
        self.send_response(200)
        self.send_header("Content-Type", "application/octet-stream")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True


server = Server(("127.0.0.1", 18497), Site)
open("ready", "w").close()
server.serve_forever()
