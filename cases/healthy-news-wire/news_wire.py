"""A news wire: there is news every 230 ms."""
import socket
import time

with open("/proc/self/comm", "w") as comm:
    comm.write("news_wire")
wire = socket.create_server(("127.0.0.1", 0))
with open("port", "w") as port:
    port.write(str(wire.getsockname()[1]))
open("ready", "w").close()
while True:
    reader, _ = wire.accept()
    try:
        for number in range(1000):
            time.sleep(0.23)
            reader.sendall(b"headline %d\n" % number)
    except OSError:
        reader.close()
