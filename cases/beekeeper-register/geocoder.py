"""A map service: answers one address per request, after some 12 ms of looking."""
import socketserver
import time


class Lookup(socketserver.StreamRequestHandler):
    def handle(self):
        for line in self.rfile:
            time.sleep(0.012)
            name = line.decode().strip()
            self.wfile.write(f"{len(name) * 3 % 90}.25 {len(name) * 7 % 180}.5\n".encode())


class Service(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


with Service(("127.0.0.1", 18501), Lookup) as service:
    open("ready", "w").close()
    service.serve_forever()
