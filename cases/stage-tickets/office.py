"""The box office: says yes to each seat after 14 ms."""
import socket, threading, time


def serve(c):
    c.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        for line in c.makefile("rb", 0):
            time.sleep(0.014)
            c.sendall(b"yes\n")
    except OSError:
        pass


s = socket.create_server(("127.0.0.1", 12590))
open("ready", "w").close()
while True:
    threading.Thread(target=serve, args=(s.accept()[0],), daemon=True).start()
