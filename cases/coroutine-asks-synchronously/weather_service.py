"""Answers each request after 30 ms, any number of them at a time."""
import asyncio
import os


async def client(reader, writer):
    while line := await reader.readline():
        if line == b"\r\n":
            await asyncio.sleep(0.03)
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nsunny")
            await writer.drain()


async def main():
    with open("/proc/self/comm", "w") as comm:
        comm.write("weather_service")
    server = await asyncio.start_server(client, "127.0.0.1", 0)
    with open("port", "w") as port:
        port.write(str(server.sockets[0].getsockname()[1]))
    os.rename("port", "ready")
    await server.serve_forever()

asyncio.run(main())
