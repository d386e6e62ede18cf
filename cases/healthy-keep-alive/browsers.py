# Four clients in four threads, each with one connection that it keeps.
import http.client
import os
import threading
import time

open("ready", "w").close()
while not os.path.exists("port"):
    time.sleep(0.005)
port = int(open("port").read())

def browse(first):
    server = http.client.HTTPConnection("127.0.0.1", port)
    try:
        for number in range(first, 10**9, 4):
            server.request("GET", f"/page/{number}")
            assert server.getresponse().read().startswith(b"<h1>")
    except (OSError, http.client.HTTPException):
        pass  # The server has ended.

threads = [threading.Thread(target=browse, args=(n,)) for n in range(4)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
