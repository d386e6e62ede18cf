"""Fetches the tiles of a mountain panorama from a store, and puts each in its place as soon as it is there."""
import asyncio
import time
import zlib


class Store:
    """Keeps tiles, and hands them out over a socket."""

    async def answer(self, reader, writer):
        try:
            while line := await reader.readline():
                pixels = zlib.compress(line.rjust(8) * 48, 1)
                writer.write(len(pixels).to_bytes(4, "little") + pixels)
        except asyncio.CancelledError:
            pass
        finally:
            writer.close()

    async def start(self):
        self.server = await asyncio.start_server(self.answer, "127.0.0.1", 0)
        return self.server.sockets[0].getsockname()[1]


class Lines:
    """Eight lines to the store, which the fetches share."""

    def __init__(self):
        self.free = asyncio.Queue()

    async def open(self, port, count=8):
        for _ in range(count):
            self.free.put_nowait(await asyncio.open_connection("127.0.0.1", port))

    async def fetch(self, tile):
        reader, writer = await self.free.get()
        try:
            writer.write(b"%d\n" % tile)
            size = int.from_bytes(await reader.readexactly(4), "little")
            return tile, zlib.decompress(await reader.readexactly(size))
        finally:
            self.free.put_nowait((reader, writer))


class Panorama:
    def __init__(self, tiles):
        self.tiles = tiles
        self.rows = {}
        self.placed = 0

    def place(self, tile, pixels):
        self.rows.setdefault(tile // 80, bytearray()).extend(pixels)
        self.placed += 1

    async def draw(self, lines, end):
        pending = {asyncio.create_task(lines.fetch(tile)) for tile in range(self.tiles)}
        while pending and time.monotonic() < end:
            done, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                self.place(*task.result())
        for task in pending:
            task.cancel()


async def main():
    start = time.monotonic()
    lines = Lines()
    await lines.open(await Store().start())
    placed = 0
    while time.monotonic() < start + 2:
        panorama = Panorama(3000)
        await panorama.draw(lines, start + 2)
        placed += panorama.placed
    print(f"{placed} tiles in {time.monotonic() - start:.2f} s")


if __name__ == "__main__":
    asyncio.run(main())
