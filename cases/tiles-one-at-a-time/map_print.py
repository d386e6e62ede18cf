"""Prints a map: fetches its tiles in a pool, puts them together, writes one picture."""
import concurrent.futures
import http.client
import threading
import time
import zlib

WORKERS = 1  # TODO raise again when the server allows it
COLUMNS = 9

local = threading.local()
spent = []


def connection():
    if not hasattr(local, "connection"):
        with open("ready") as ready:
            local.connection = http.client.HTTPConnection("127.0.0.1", int(ready.read()))
    return local.connection


def fetch_tile(column, row):
    before = time.monotonic()
    server = connection()
    server.request("GET", f"/tile/{column}/{row}")
    data = server.getresponse().read()
    spent.append(time.monotonic() - before)
    return data


def shade(data):
    return bytes((value * 3 + 17) & 255 for value in data)


def put_together(tiles):
    picture = bytearray()
    for (column, row), data in sorted(tiles.items()):
        picture += bytes((column, row)) + shade(data)
    return zlib.compress(picture)


def fetch_all(rows):
    tiles = {}
    with concurrent.futures.ThreadPoolExecutor(max_workers=WORKERS, thread_name_prefix="tiles") as pool:
        waiting = {
            pool.submit(fetch_tile, column, row): (column, row)
            for row in range(rows)
            for column in range(COLUMNS)
        }
        for done in concurrent.futures.as_completed(waiting):
            tiles[waiting[done]] = done.result()
    return tiles


def main():
    start = time.monotonic()
    tiles = fetch_all(8)
    picture = put_together(tiles)
    with open("map.bin", "wb") as out:
        out.write(picture)
    wall = time.monotonic() - start
    with open("truth", "w") as truth:
        print("tiles", len(tiles), file=truth)
        print("fetching", sum(spent) / wall, file=truth)
        print("ms_each", 1000 * sum(spent) / len(spent), file=truth)


main()
