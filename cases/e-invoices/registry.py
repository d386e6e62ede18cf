"""A registry of document types on this machine. It puts each type together from its parts when somebody asks."""
import os
import socket
import time

with open("/proc/self/comm", "w") as comm:
    comm.write("registry")
listener = socket.create_server(("127.0.0.1", 0))
with open("port", "w") as port:
    port.write(str(listener.getsockname()[1]))
os.rename("port", "ready")


def put_together():
    """Takes 25 ms of CPU time."""
    parts, end = set(), time.process_time() + 0.025
    while time.process_time() < end:
        parts.update(f"part{n}" for n in range(200))
    return ("<!ELEMENT invoice (customer, item*)>\n<!ELEMENT customer (#PCDATA)>\n<!ELEMENT item (#PCDATA)>\n"
            "<!ATTLIST item price CDATA #REQUIRED currency CDATA \"EUR\">\n").encode()


while True:
    client, _ = listener.accept()
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with client, client.makefile("rb") as requests:
        while requests.readline():
            while requests.readline() not in (b"\r\n", b""):
                pass
            body = put_together()
            client.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/xml-dtd\r\nContent-Length: %d\r\n\r\n%s"
                           % (len(body), body))
