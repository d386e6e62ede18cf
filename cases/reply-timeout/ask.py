"""Asks a cache server over UDP before each page; the server never answers, every wait runs out."""
import socket
import time

timeouts = 0


def ask_cache(key, port):
    global timeouts
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as cache:
        cache.settimeout(0.4)
        cache.sendto(key.encode(), ("127.0.0.1", port))
        try:
            return cache.recv(1500)
        except TimeoutError:
            timeouts += 1
            return None


def render(page, port):
    return ask_cache(f"page/{page}", port) or f"<h1>{page}</h1>".encode()


# A socket that is open, so that nothing is refused, but that nobody reads.
silent = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
silent.bind(("127.0.0.1", 0))
start = time.monotonic()
for page in range(5):
    render(page, silent.getsockname()[1])
with open("truth", "w") as truth:
    truth.write(f"share {timeouts * 0.4 / (time.monotonic() - start):.3f}\ntimeouts {timeouts}\n")
