"""A little weather service: the reports of some towns, and their mean."""
import json
from http.server import BaseHTTPRequestHandler, HTTPServer

REPORTS = {f"town-{n}": {"temperature": n * 37 % 31 - 4, "wind": n * 11 % 90} for n in range(200)}


def mean_temperature():
    return sum(report["temperature"] for report in REPORTS.values()) / len(REPORTS)


class Weather(BaseHTTPRequestHandler):
    def do_GET(self):
        town = self.path.strip("/")
        if town == "mean":
            self.answer(200, {"temperature": mean_temperature()})
        elif town in REPORTS:
            self.answer(200, REPORTS[town])
        else:
            self.answer(404, {"error": f"no report of {town}"})

    def answer(self, status, report):
        body = json.dumps(report).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format, *arguments):
        pass


class WeatherServer(HTTPServer):
    def server_bind(self):
        # Without a name server: HTTPServer asks one for the name of its host.
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()
        self.server_name, self.server_port = self.server_address


def open_service():
    return WeatherServer(("127.0.0.1", 0), Weather)
