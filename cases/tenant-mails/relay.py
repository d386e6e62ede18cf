"""A mail relay that lets each client wait for its greeting, because spammers do not."""
import socket, threading, time


def session(c):
    c.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    time.sleep(0.23)
    f = c.makefile("rwb", 0)
    f.write(b"220 relay\r\n")
    data = False
    for line in f:
        if data:
            if line == b".\r\n":
                data = False
                f.write(b"250 queued\r\n")
        elif line.startswith(b"DATA"):
            data = True
            f.write(b"354 go on\r\n")
        elif line.startswith(b"QUIT"):
            break
        else:
            f.write(b"250 ok\r\n")


def safe(c):
    try:
        session(c)
    except OSError:
        pass
    c.close()


s = socket.create_server(("127.0.0.1", 12587))
open("ready", "w").close()
while True:
    threading.Thread(target=safe, args=(s.accept()[0],), daemon=True).start()
