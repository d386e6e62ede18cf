"""Visitors of the site: one looks at a page six times in a second."""
import http.client
import socket
import time

with open("/proc/self/comm", "w") as comm:
    comm.write("visitors")
with socket.create_server(("127.0.0.1", 0)) as place:
    port = place.getsockname()[1]
with open("port", "w") as f:
    f.write(str(port))
open("ready", "w").close()
n = 0
while True:
    time.sleep(0.16)
    visitor = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        visitor.request("GET", "/?place=" + ["north%20stack", "old%20light", "the%20saddle", "nowhere"][n % 4])
        visitor.getresponse().read()
        n += 1
    except OSError:
        pass
    visitor.close()
