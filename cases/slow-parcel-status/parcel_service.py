"""Knows where each parcel is. It is busy at first, and says so at once."""
import http.server

asked = 0


class Parcels(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        global asked
        asked += 1
        text = b"your parcel is in Graz\n" if asked > 2 else b"busy\n"
        self.send_response(200 if asked > 2 else 503)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


with open("/proc/self/comm", "w") as comm:
    comm.write("parcel_service")
server = http.server.HTTPServer(("127.0.0.1", 0), Parcels)
with open("port", "w") as port:
    port.write(str(server.server_port))
open("ready", "w").close()
server.serve_forever()
