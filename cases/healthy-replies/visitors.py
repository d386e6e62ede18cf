"""Three visitors that ask for the weather until the server has enough."""
import http.client
import os
import threading
import time

open("ready", "w").close()
while not os.path.exists("port"):
    time.sleep(0.005)
port = int(open("port").read())


def visit():
    server = http.client.HTTPConnection("127.0.0.1", port)
    try:
        while True:
            server.request("GET", "/hamburg")
            server.getresponse().read()
    except (OSError, http.client.HTTPException):
        pass


for _ in range(3):
    threading.Thread(target=visit).start()
