# A server of photos that serves one client at a time.
import http.server

photos = {"/thumb/1": b"x" * 2000, "/thumb/2": b"y" * 3000}

class Photos(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = photos.get(self.path, b"")
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_PUT(self):
        photos[self.path] = self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(201)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass

server = http.server.HTTPServer(("127.0.0.1", 0), Photos)
with open("port.new", "w") as file:
    file.write(str(server.server_port))
import os
os.rename("port.new", "port")
server.serve_forever()
