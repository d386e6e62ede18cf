"""Writes the index of the articles anew, again and again, because prices change; nobody may read meanwhile."""
import fcntl
import os
import time


def fetch_prices():
    """The prices come from another machine, which takes its time."""
    time.sleep(0.15)
    return [n * 31 % 977 for n in range(400)]


def write_index(index):
    fcntl.flock(index, fcntl.LOCK_EX)
    prices = fetch_prices()
    index.seek(0)
    index.write(" ".join(map(str, prices)))
    index.flush()
    fcntl.flock(index, fcntl.LOCK_UN)


with open("/proc/self/comm", "w") as comm:
    comm.write("reindexer")
with open("articles.index", "w") as index:
    while not os.path.exists("port"):
        time.sleep(0.01)
    open("ready", "w").close()
    while True:
        write_index(index)
        time.sleep(0.005)
