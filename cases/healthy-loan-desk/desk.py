"""The desk of a lending library: answers which books are in. Ends when it is told that the library closes."""
import socketserver
from pathlib import Path

BOOKS = {f"shelf {n}": n % 3 != 0 for n in range(500)}


class Reader(socketserver.StreamRequestHandler):
    def handle(self):
        for line in self.rfile:
            question = line.decode().strip()
            if question == "close":
                self.server.open = False
                return
            self.wfile.write(b"in\n" if BOOKS.get(question) else b"out\n")


def main():
    with socketserver.TCPServer(("127.0.0.1", 0), Reader) as desk:
        desk.open = True
        Path("port.new").write_text(str(desk.server_address[1]))
        Path("port.new").rename("port")
        while desk.open:
            desk.handle_request()
    print("closed")


main()
