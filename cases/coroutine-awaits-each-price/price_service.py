"""Tells the price of a part after 40 ms; any number of clients at a time."""
import asyncio
import os


async def client(reader, writer):
    while line := await reader.readline():
        await asyncio.sleep(0.04)
        writer.write(b"%d\n" % (len(line) * 35))
        await writer.drain()


async def main():
    server = await asyncio.start_server(client, "127.0.0.1", 0)
    with open("ready.tmp", "w") as ready:
        ready.write(str(server.sockets[0].getsockname()[1]))
    os.rename("ready.tmp", "ready")
    await asyncio.sleep(60)


asyncio.run(main())
