"""Fetches the brightness of stars from an observatory, and waits as long as it asks for when it has had enough."""
import http.client
import json
import time

waited = 0.0


def wait_as_asked(answer):
    global waited
    pause = int(answer.getheader("Retry-After-Ms")) / 1000
    time.sleep(pause)
    waited += pause


def fetch_star(connection, name):
    while True:
        connection.request("GET", f"/{name}")
        answer = connection.getresponse()
        body = answer.read()
        if answer.status == 200:
            return json.loads(body)
        wait_as_asked(answer)


with open("port") as f:
    connection = http.client.HTTPConnection("127.0.0.1", int(f.read()))
start = time.perf_counter()
stars = {}
while time.perf_counter() - start < 2.0:
    name = f"star-{len(stars)}"
    stars[name] = fetch_star(connection, name)
connection.close()
wall = time.perf_counter() - start
with open("truth", "w") as f:
    f.write(f"waited_as_asked {waited / wall:.3f}\nstars {len(stars)}\n")
