"""The depot: keeps the articles, and speaks a small protocol of lines. Each line takes it a moment."""
import socketserver
import time


class Depot(socketserver.StreamRequestHandler):
    disable_nagle_algorithm = True

    def handle(self):
        for line in self.rfile:
            words = line.decode().split()
            if words[0] == "PING":
                time.sleep(0.014)
                self.wfile.write(b"PONG\n")
            elif words[0] == "GET":
                number = int(words[1])
                self.wfile.write(f"{number} article-{number * 7919 % 1009} {100 + number % 900}\n".encode())


socketserver.ThreadingTCPServer.daemon_threads = True
server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Depot)
with open("port", "w") as out:
    out.write(str(server.server_address[1]))
open("ready", "w").close()
server.serve_forever()
