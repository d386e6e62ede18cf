"""Tells the rate of a currency. The exchange behind it answers after 12 ms."""
import socketserver
import time


class Rates(socketserver.StreamRequestHandler):
    disable_nagle_algorithm = True

    def ask_exchange(self, currency):
        time.sleep(0.012)
        return 1000 + sum(currency) % 300

    def handle(self):
        for currency in self.rfile:
            self.wfile.write(b"%d\n" % self.ask_exchange(currency))


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True


with open("/proc/self/comm", "w") as comm:
    comm.write("rate_service")
with Server(("127.0.0.1", 0), Rates) as server:
    with open("port", "w") as port:
        port.write(f"{server.server_address[1]}\n")
    open("ready", "w").close()
    server.serve_forever()
