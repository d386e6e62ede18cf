"""The register of boats: a line with a boat's name is answered by its home port."""
import socketserver


class Register(socketserver.StreamRequestHandler):
    disable_nagle_algorithm = True

    def handle(self):
        for line in self.rfile:
            kind, _, number = line.decode().strip().partition("-")
            self.wfile.write(b"harbour-%d\n" % (int(number) % 12) if kind == "boat" else b"unknown\n")


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True


with open("/proc/self/comm", "w") as comm:
    comm.write("boat-register")
server = Server(("127.0.0.1", 0), Register)
with open("port", "w") as port:
    port.write(str(server.server_address[1]))
open("ready", "w").close()
server.serve_forever()
