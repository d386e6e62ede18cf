"""Checks the links of a site with four threads. A pause keeps it from asking the same host too often."""
import hashlib
import os
import queue
import threading
import time

PAUSE = 0.03
slot = threading.Lock()
last_visit = {}
waited = {}


def make_pages(count):
    os.mkdir("pages")
    for number in range(count):
        links = "".join(f'<a href="page-{(number * n) % count}.html">' for n in range(2, 40))
        with open(f"pages/page-{number}.html", "w") as page:
            page.write(f"<h1>Page {number}</h1>{links}")


def wait_turn(host):
    """One visit per host and pause. All threads queue here, whichever host they want."""
    before = time.monotonic()
    with slot:
        name = threading.current_thread().name
        waited[name] = waited.get(name, 0) + time.monotonic() - before
        left = last_visit.get(host, 0) + PAUSE - time.monotonic()
        if left > 0:
            time.sleep(left)
        last_visit[host] = time.monotonic()


def read_page(number):
    with open(f"pages/page-{number}.html") as page:
        return page.read()


def check_page(number):
    wait_turn("www.example.test")
    text = read_page(number)
    return text.count("<a "), hashlib.sha1(text.encode()).hexdigest()


def crawl(work, found, until):
    while time.monotonic() < until:
        number = work.get()
        found.append(check_page(number))


def main():
    make_pages(200)
    work, found = queue.Queue(), []
    for number in range(2000):
        work.put(number % 200)
    start = time.monotonic()
    threads = [threading.Thread(target=crawl, args=(work, found, start + 2), name=f"crawler-{n}") for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    wall = time.monotonic() - start
    with open("truth", "w") as truth:
        truth.write(f"waited_per_thread {sum(waited.values()) / 4 / wall:.3f}\npages {len(found)}\n")


main()
