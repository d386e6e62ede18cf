"""The terminal of a gate: a length, and as many characters; when some bytes are left over, it waits for the rest of its line to settle."""
import socket


def card(c):
    head = b""
    while not head.endswith(b"\n"):
        b = c.recv(1)
        if not b:
            return False
        head += b
    want = int(head)
    text = b""
    while len(text) < want:
        text += c.recv(want - len(text))
    # the line must be quiet before the next card
    c.settimeout(0.12)
    rest = 0
    try:
        while True:
            part = c.recv(100, socket.MSG_DONTWAIT) if rest == 0 else c.recv(100)
            rest += len(part)
            if not part:
                return False
    except (TimeoutError, BlockingIOError):
        pass
    c.settimeout(None)
    c.sendall(b"ok\n")
    return True


s = socket.create_server(("127.0.0.1", 12593))
open("ready", "w").close()
while True:
    c, _ = s.accept()
    c.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        while card(c):
            pass
    except (OSError, ValueError):
        pass
    c.close()
