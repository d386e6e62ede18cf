"""Approves packages. A rule says that each is looked at for 180 ms."""
import socketserver
import time


class Approval(socketserver.StreamRequestHandler):
    def look_at(self, package):
        time.sleep(0.18)
        return b"approved " + package

    def handle(self):
        package = self.rfile.readline().split()[-1]
        self.wfile.write(self.look_at(package) + b"\n")


with open("/proc/self/comm", "w") as comm:
    comm.write("approval_service")
with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Approval) as server:
    with open("port", "w") as port:
        port.write(f"{server.server_address[1]}\n")
    open("ready", "w").close()
    server.serve_forever()
