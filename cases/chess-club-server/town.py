"""The federation, which rates a game in 30 ms, and ten players."""
import random, socket, threading, time


def federation():
    s = socket.create_server(("127.0.0.1", 12586))
    open("ready", "w").close()
    while True:
        c, _ = s.accept()
        c.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        f = c.makefile("rwb", 0)
        while f.readline():
            time.sleep(0.03)
            f.write(b"1650\n")


def player(n):
    r = random.Random(n)
    while True:
        try:
            c = socket.create_connection(("127.0.0.1", 12585))
            break
        except OSError:
            time.sleep(0.02)
    c.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    f = c.makefile("rwb", 0)
    try:
        while True:
            f.write(b"e2e4#\n" if r.random() < 0.2 else b"e2e4\n")
            if not f.readline():
                return
            time.sleep(r.uniform(0.02, 0.04))
    except OSError:
        pass


for n in range(10):
    threading.Thread(target=player, args=(n,), daemon=True).start()
federation()
