"""Answers `name` after the time that it takes: the tide 60 ms, anything else 3 ms. Any number at a time."""
import asyncio
import os


async def client(reader, writer):
    while line := await reader.readline():
        await asyncio.sleep(0.06 if line == b"tide\n" else 0.003)
        writer.write(b"<p>calm</p>\n")
        await writer.drain()


async def main():
    server = await asyncio.start_server(client, "127.0.0.1", 0)
    with open("ready.tmp", "w") as ready:
        ready.write(str(server.sockets[0].getsockname()[1]))
    os.rename("ready.tmp", "ready")
    await asyncio.sleep(60)


asyncio.run(main())
