"""A small key-value server for the hazel growers of a valley. It serves until a client with the right says stop."""
import asyncio
import os
import time

store = {}
served = 0
busy = 0.0


def answer(line):
    words = line.decode().split()
    if words[0] == "set" and len(words) == 3:
        store[words[1]] = words[2]
        return "ok"
    if words[0] == "get" and len(words) == 2:
        return store.get(words[1], "-")
    return "what?"


async def serve(reader, writer):
    global served, busy
    while line := await reader.readline():
        if line == b"stop\n":
            stop.set()
            break
        before = time.monotonic()
        writer.write(answer(line).encode() + b"\n")
        busy += time.monotonic() - before
        served += 1
        await writer.drain()
    writer.close()


async def main():
    global stop
    stop = asyncio.Event()
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    with open("port.new", "w") as f:
        f.write(str(server.sockets[0].getsockname()[1]))
    os.rename("port.new", "port")
    await stop.wait()
    server.close()


start = time.monotonic()
asyncio.run(main())
with open("truth", "w") as f:
    f.write(f"served {served}\nbusy {busy / (time.monotonic() - start):.4f}\n")
