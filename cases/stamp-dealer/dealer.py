"""A stamp dealer's server: makes the whole list, cheapest first, for each page of it that somebody asks for."""
import http.server
import urllib.parse


def price_list():
    stamps = [(number * 7919 % 50021, f"stamp {number} of {1840 + number % 180}") for number in range(30000)]
    stamps.sort()
    return [f"{name};{price}" for price, name in stamps]


class Dealer(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query)
        page = int(query["page"][0])
        body = "\n".join(price_list()[page * 50:page * 50 + 50]).encode()
        self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))

    def log_message(self, *words):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Dealer)
with open("port", "w") as file:
    file.write(str(server.server_port))
open("ready", "w").close()
server.serve_forever()
