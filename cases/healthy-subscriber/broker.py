"""Sends a weather report to each subscriber, six times a second."""
import asyncio
import os
import time


async def subscriber(reader, writer):
    await reader.readline()
    number = 0
    while not writer.is_closing():
        await asyncio.sleep(0.16)
        number += 1
        writer.write(f"{time.clock_gettime(time.CLOCK_MONOTONIC)} EDDB wind 270/{number % 20} QNH 1013\n".encode())
        try:
            await writer.drain()
        except ConnectionError:
            return


async def main():
    with open("/proc/self/comm", "w") as comm:
        comm.write("broker")
    server = await asyncio.start_server(subscriber, "127.0.0.1", 0)
    with open("ready.part", "w") as ready:
        ready.write(str(server.sockets[0].getsockname()[1]))
    os.rename("ready.part", "ready")
    await server.serve_forever()

asyncio.run(main())
