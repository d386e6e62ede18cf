"""Visitors of a parish's site: they look at one page after the other, over one connection."""
import http.client
import time

open("ready", "w").close()
while True:
    try:
        line = http.client.HTTPConnection("127.0.0.1", 18533)
        for page in range(10_000_000):
            line.request("GET", f"/page/{page}")
            line.getresponse().read()
    except (OSError, http.client.HTTPException):
        time.sleep(0.01)
