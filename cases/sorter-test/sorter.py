"""A sorter: names the chute of each parcel at once."""
import socket

listener = socket.create_server(("127.0.0.1", 0))
with open("port", "w") as out:
    out.write(str(listener.getsockname()[1]))
open("ready", "w").close()
while True:
    connection, _ = listener.accept()
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with connection, connection.makefile("rw") as lines:
        for line in lines:
            lines.write(f"chute {int(line.split()[1]) % 7}\n")
            lines.flush()
