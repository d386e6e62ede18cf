"""Takes metrics. Since its last update it forgets to answer."""
import selectors
import socket

with open("/proc/self/comm", "w") as comm:
    comm.write("metrics_gateway")
chooser = selectors.DefaultSelector()
listener = socket.create_server(("127.0.0.1", 0))
chooser.register(listener, selectors.EVENT_READ)
with open("port", "w") as port:
    port.write(f"{listener.getsockname()[1]}\n")
open("ready", "w").close()
while True:
    for key, _ in chooser.select():
        if key.fileobj is listener:
            chooser.register(listener.accept()[0], selectors.EVENT_READ)
        elif not key.fileobj.recv(65536):
            chooser.unregister(key.fileobj)
            key.fileobj.close()
