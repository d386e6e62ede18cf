"""A mail relay. It looks each recipient up in a directory before it accepts him."""
import socketserver
import time


class Relay(socketserver.StreamRequestHandler):
    disable_nagle_algorithm = True

    def handle(self):
        self.wfile.write(b"220 relay\r\n")
        for line in self.rfile:
            word = line[:4].upper()
            if word == b"RCPT":
                time.sleep(0.018)
            if word == b"QUIT":
                return
            self.wfile.write(b"250 ok\r\n")


socketserver.ThreadingTCPServer.daemon_threads = True
server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Relay)
with open("port", "w") as out:
    out.write(str(server.server_address[1]))
open("ready", "w").close()
server.serve_forever()
