"""The archive: a plain HTTP server that takes the body as it comes and has never heard of 100 Continue."""
import socket

with open("/proc/self/comm", "w") as comm:
    comm.write("archive")
for n in range(2):
    with open(f"picture-{n}", "wb") as picture:
        picture.write(bytes([n + 7]) * 1500000)
listener = socket.create_server(("127.0.0.1", 0))
with open("port", "w") as f:
    f.write(str(listener.getsockname()[1]))
open("ready", "w").close()
while True:
    client, _ = listener.accept()
    lines = client.makefile("rb")
    lines.readline()
    length = 0
    while line := lines.readline().strip().lower():
        if line.startswith(b"content-length:"):
            length = int(line.split(b":")[1])
    got = len(lines.read(length))
    client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 8\r\nConnection: close\r\n\r\n%7d\n" % got)
    client.close()
