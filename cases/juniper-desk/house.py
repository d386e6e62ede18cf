"""The house's own server: it answers one question at a time, and asks the door locks of the room each time."""
import http.server
import json
import time

with open("/proc/self/comm", "w") as comm:
    comm.write("house")


def ask_door(room):
    time.sleep(0.06)
    return room % 100 % 3


class House(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        room = int(self.path.rsplit("/", 1)[1])
        body = json.dumps({"room": room, "guests": ask_door(room)}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words):
        pass


server = http.server.HTTPServer(("127.0.0.1", 0), House)
with open("port", "w") as f:
    f.write(str(server.server_port))
open("ready", "w").close()
server.serve_forever()
