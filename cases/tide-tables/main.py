"""Fetches the tide tables of the coast, and finds the highest tide of the day."""
import http.client
import json
import time

waited = 0.0


def tide_table(connection, harbour):
    global waited
    before = time.monotonic()
    connection.request("GET", f"/harbours/{harbour}")
    with connection.getresponse() as answer:
        table = json.load(answer)
    waited += time.monotonic() - before
    return table


def main():
    with open("ready") as port:
        connection = http.client.HTTPConnection("127.0.0.1", int(port.read()))
    start, harbour, highest = time.monotonic(), 0, 0
    while time.monotonic() - start < 2:
        highest = max(highest, *(tide["cm"] for tide in tide_table(connection, harbour)))
        harbour += 1
    with open("truth", "w") as truth:
        truth.write(f"waited {waited / (time.monotonic() - start):.3f}\nharbours {harbour}\n"
                    f"ms_per_harbour {waited / harbour * 1000:.1f}\nhighest {highest}\n")


main()
