# A service that is still warming up: its first four answers are 503.
import http.server

class Rates(http.server.BaseHTTPRequestHandler):
    asked = 0

    def do_GET(self):
        Rates.asked += 1
        ready = Rates.asked > 4
        body = b'{"EUR": 1.0, "USD": 1.08}' if ready else b"warming up"
        self.send_response(200 if ready else 503)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass

server = http.server.HTTPServer(("127.0.0.1", 0), Rates)
with open("port", "w") as file:
    file.write(str(server.server_port))
open("ready", "w").close()
server.serve_forever()
