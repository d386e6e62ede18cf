"""Tells exchange rates, each after 25 ms; it can answer many questions at a time."""
import asyncio


async def answer(reader, writer):
    currency = (await reader.readline()).decode().strip()
    await asyncio.sleep(0.025)
    writer.write(f"{sum(map(ord, currency)) / 200}\n".encode())
    writer.close()


async def main():
    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    with open("port", "w") as port:
        port.write(str(server.sockets[0].getsockname()[1]))
    open("ready", "w").close()
    await server.serve_forever()


with open("/proc/self/comm", "w") as comm:
    comm.write("central_bank")
asyncio.run(main())
