"""The register of ships: an HTTP server that keeps connections open for a while, as all do."""
import socket
import threading

KEEP_ALIVE = 0.2


def answer(client):
    client.settimeout(KEEP_ALIVE)
    lines = client.makefile("rb")
    try:
        while request := lines.readline():
            close = False
            while (line := lines.readline().strip().lower()):
                close = close or line == b"connection: close"
            body = b'{"ship": "%s", "flag": "NO", "tons": 4120}' % request.split()[1][1:]
            client.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: %s\r\n\r\n%s"
                           % (len(body), b"close" if close else b"keep-alive", body))
            if close:
                break
    except TimeoutError:
        pass
    lines.close()
    client.close()


with open("/proc/self/comm", "w") as comm:
    comm.write("register")
listener = socket.create_server(("127.0.0.1", 0))
with open("port", "w") as f:
    f.write(str(listener.getsockname()[1]))
open("ready", "w").close()
while True:
    client, _ = listener.accept()
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    threading.Thread(target=answer, args=(client,), daemon=True).start()
