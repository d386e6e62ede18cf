"""Reads the messages of parcel carriers. A faster parser is used where somebody has installed it."""
import glob
import json
import sys
import time

choosing = 0.0


def choose_parser():
    try:
        import fastfeed
        return fastfeed.loads
    except ImportError:
        return json.loads


def read_message(text):
    global choosing
    before = time.perf_counter()
    loads = choose_parser()
    choosing += time.perf_counter() - before
    return loads(text)


def main():
    sys.path.extend(sorted(glob.glob("plugins/*")))
    delivered = messages = 0
    start = time.perf_counter()
    while time.perf_counter() - start < 2:
        text = f'{{"parcel": {messages}, "state": "{("sorted", "delivered")[messages % 2]}"}}'
        delivered += read_message(text)["state"] == "delivered"
        messages += 1
    wall = time.perf_counter() - start
    with open("truth", "w") as truth:
        truth.write(f"choosing {choosing / wall:.3f}\nmessages {messages}\ndelivered {delivered}\n")


main()
