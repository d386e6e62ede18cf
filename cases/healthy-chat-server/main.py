"""A chat room for twelve people who write now and then; every message goes to all, at once."""
import asyncio
import os
import time

people, messages, slowest = set(), 0, 0.0


def pass_on(line):
    for writer in people:
        writer.write(line)


async def person(reader, writer):
    global messages, slowest
    people.add(writer)
    while line := await reader.readline():
        before = time.monotonic()
        pass_on(line)
        slowest = max(slowest, time.monotonic() - before)
        messages += 1
    people.discard(writer)


async def main():
    server = await asyncio.start_server(person, "127.0.0.1", 0)
    with open("port.part", "w") as port:
        port.write(str(server.sockets[0].getsockname()[1]))
    os.rename("port.part", "port")
    await asyncio.sleep(2.2)
    with open("truth", "w") as truth:
        truth.write(f"messages {messages}\nslowest_ms {1000 * slowest:.2f}\ncpu {time.process_time():.3f}\n")
    os._exit(0)

asyncio.run(main())
