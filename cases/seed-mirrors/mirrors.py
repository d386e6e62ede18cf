"""Two mirrors: one whose disk hangs, so that it takes requests and says nothing, and one that works."""
import http.server
import os
import socket
import threading


class Files(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass


hanging = socket.create_server(("127.0.0.1", 0))
kept = []


def take():
    while True:
        kept.append(hanging.accept())


os.makedirs("packages", exist_ok=True)
os.chdir("packages")
for name in ("carrots", "leeks", "beans"):
    with open(name + ".tar", "wb") as out:
        out.write(os.urandom(300000))
os.system("sha256sum *.tar > SUMS")
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Files)
threading.Thread(target=take, daemon=True).start()
with open("../mirrors.txt", "w") as out:
    for port in (hanging.getsockname()[1], server.server_address[1]):
        out.write(f"http://127.0.0.1:{port}\n")
open("../ready", "w").close()
server.serve_forever()
