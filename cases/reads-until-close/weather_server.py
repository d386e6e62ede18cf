# A server that keeps connections alive for 0.4 s after each answer.
import http.server

class Weather(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 0.4

    def do_GET(self):
        body = b"sunny, 21 degrees\n"
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Weather)
with open("port", "w") as file:
    file.write(str(server.server_port))
open("ready", "w").close()
server.serve_forever()
