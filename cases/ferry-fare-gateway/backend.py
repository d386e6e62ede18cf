"""The fare office of a ferry line: needs 60 ms of waiting for each fare, any number at once."""
import socketserver
import time


class Fare(socketserver.StreamRequestHandler):
    def handle(self):
        for line in self.rfile:
            time.sleep(0.06)
            self.wfile.write(b"fare %d\n" % (len(line) * 10))


class Office(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


with Office(("127.0.0.1", 18491), Fare) as office:
    open("ready", "w").close()
    office.serve_forever()
