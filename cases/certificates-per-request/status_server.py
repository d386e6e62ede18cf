# Answers that all is well.
import http.server

class Status(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", "3")
        self.end_headers()
        self.wfile.write(b"ok\n")

    def log_message(self, *_):
        pass

server = http.server.HTTPServer(("127.0.0.1", 0), Status)
with open("port", "w") as file:
    file.write(str(server.server_port))
open("ready", "w").close()
server.serve_forever()
