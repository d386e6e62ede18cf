"""Makes the page of a quote from three offices. What is not there after 0.1 s is left out."""
import socket
import time
from concurrent.futures import ThreadPoolExecutor, TimeoutError

PORT = int(open("port").read())
LIMIT = 0.1


def ask(topic, customer):
    with socket.create_connection(("127.0.0.1", PORT)) as office:
        office.sendall(f"{topic} {customer}\n".encode())
        return office.recv(200).decode().strip()


def section(future, limit_at):
    try:
        return future.result(timeout=max(0.0, limit_at - time.monotonic()))
    except TimeoutError:
        return "(not available)"


def quote_page(customer):
    limit_at = time.monotonic() + LIMIT
    with ThreadPoolExecutor(max_workers=3) as pool:
        futures = [pool.submit(ask, topic, customer) for topic in ("price", "stock", "history")]
        return " | ".join(section(future, limit_at) for future in futures)


def main():
    start, pages = time.monotonic(), 0
    while time.monotonic() - start < 1.8:
        page = quote_page(1000 + pages)
        pages += 1
    print(pages, "pages;", page)


if __name__ == "__main__":
    main()
