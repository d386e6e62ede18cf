"""Tells how many of a plant there are, after 25 ms; any number of clients at a time."""
import asyncio
import os


async def client(reader, writer):
    while line := await reader.readline():
        await asyncio.sleep(0.025)
        writer.write(b"%d\n" % (len(line) * 3))
        await writer.drain()


async def main():
    server = await asyncio.start_server(client, "127.0.0.1", 0)
    with open("ready.tmp", "w") as ready:
        ready.write(str(server.sockets[0].getsockname()[1]))
    os.rename("ready.tmp", "ready")
    await asyncio.sleep(60)


asyncio.run(main())
