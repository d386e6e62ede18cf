"""Fetches the freight rates of a day's shipments from the company's web service."""
import http.client
import json
import time


class FreightClient:
    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port)
        self.login_time = self.rate_time = 0.0

    def post(self, path, body, **headers):
        self.connection.request("POST", path, json.dumps(body), headers)
        return json.load(self.connection.getresponse())

    def fetch_token(self):
        start = time.monotonic()
        token = self.post("/token", {"client": "shop", "secret": "s3cr3t"})["token"]
        self.login_time += time.monotonic() - start
        return token

    def rate(self, kilos, zone):
        token = self.fetch_token()
        start = time.monotonic()
        answer = self.post("/rate", {"kilos": kilos, "zone": zone}, Authorization="Bearer " + token)
        self.rate_time += time.monotonic() - start
        return answer["rate"]


def main():
    start = time.monotonic()
    client = FreightClient(int(open("port").read()))
    shipments = total = 0
    while time.monotonic() - start < 2.0:
        total += client.rate(shipments % 40 + 1, shipments % 9)
        shipments += 1
    wall = time.monotonic() - start + 0.08
    print(shipments, "shipments,", total)
    with open("truth", "w") as out:
        print("share", round(client.login_time / wall, 2), file=out)
        print("rates", round(client.rate_time / wall, 2), file=out)


if __name__ == "__main__":
    main()
