"""Writes the pages of a forum: each comment gets the picture of its author."""
import asyncio
import time

asked = 0.0


class Store:
    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer

    async def avatar_of(self, member):
        global asked
        before = time.perf_counter()
        self.writer.write(f"{member}\n".encode())
        picture = (await self.reader.readline()).decode().strip()
        asked += time.perf_counter() - before
        return picture


async def write_comments(stores, thread):
    comments = []
    for number in range(20):
        picture = await stores[number].avatar_of(f"member{thread * 7 + number}")
        comments.append(f"<li><img src='{picture}'> I agree with number {number}.</li>")
    return "\n".join(comments)


async def at_once(stores):
    before = time.perf_counter()
    await asyncio.gather(*(store.avatar_of("member1") for store in stores))
    return time.perf_counter() - before


async def main():
    stores = [Store(*await asyncio.open_unix_connection("avatars.sock")) for _ in range(20)]
    pages = 0
    start = time.perf_counter()
    while time.perf_counter() - start < 2:
        page = await write_comments(stores, pages)
        with open(f"thread-{pages}.html", "w") as out:
            out.write(page)
        pages += 1
    wall = time.perf_counter() - start
    share = asked / wall
    gathered = await at_once(stores)
    with open("truth", "w") as truth:
        truth.write(f"asked {share:.3f}\npages {pages}\nms_per_page {wall / pages * 1e3:.0f}\nms_gathered {gathered * 1e3:.0f}\n")
    for store in stores:
        store.writer.close()


asyncio.run(main())
