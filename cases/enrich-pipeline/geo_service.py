"""Knows the country of each address, after 20 ms."""
import asyncio
import os


async def client(reader, writer):
    while line := await reader.readline():
        await asyncio.sleep(0.02)
        writer.write(b"%s\n" % (b"CH", b"SE", b"NZ")[sum(line) % 3])
        await writer.drain()


async def main():
    with open("/proc/self/comm", "w") as comm:
        comm.write("geo_service")
    server = await asyncio.start_server(client, "127.0.0.1", 0)
    with open("port", "w") as port:
        port.write(str(server.sockets[0].getsockname()[1]))
    os.rename("port", "ready")
    await server.serve_forever()

asyncio.run(main())
