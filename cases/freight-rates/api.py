"""The freight company: gives tokens after it has checked the password, and rates for a token."""
import hashlib
import http.server
import json


class Api(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path == "/token":
            proof = hashlib.pbkdf2_hmac("sha256", body["secret"].encode(), b"freight", 60_000)
            self.answer({"token": proof.hex(), "seconds": 3600})
        else:
            self.answer({"rate": 4 + body["kilos"] * 3 % 17})

    def answer(self, value):
        data = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Api)
with open("port", "w") as out:
    out.write(str(server.server_address[1]))
open("ready", "w").close()
server.serve_forever()
