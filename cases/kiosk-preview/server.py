"""The pages of a kiosk, from the standard library's small server."""
import http.server


class Pages(http.server.BaseHTTPRequestHandler):
    timeout = 0.6

    def do_GET(self):
        page = ("<h1>" + self.path + "</h1>\n" + "<p>open daily</p>\n" * 40).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, *args):
        pass


server = http.server.HTTPServer(("127.0.0.1", 0), Pages)
with open("port", "w") as out:
    out.write(str(server.server_address[1]))
open("ready", "w").close()
server.serve_forever()
