"""Asks the theatres itself, which takes 55 ms each; any number at the same time."""
import socketserver
import time

with open("/proc/self/comm", "w") as comm:
    comm.write("seat_service")


class Seats(socketserver.StreamRequestHandler):
    def handle(self):
        theatre = int(self.rfile.readline().split()[1])
        time.sleep(0.055)
        self.wfile.write(b"%d\n" % (theatre * 31 % 200))


class Service(socketserver.ThreadingTCPServer):
    daemon_threads = True
    request_queue_size = 64


server = Service(("127.0.0.1", 0), Seats)
with open("port", "w") as port:
    port.write(str(server.server_address[1]))
open("ready", "w").close()
server.serve_forever()
