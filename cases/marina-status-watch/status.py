"""Watches the berths of a marina for two seconds (asyncio): sensors report when a boat comes or goes."""
import asyncio
import sys


class Berths:
    def __init__(self):
        self.taken = {}
        self.events = 0

    def apply(self, line):
        berth, state = line.split()
        self.taken[berth] = state == "in"
        self.events += 1


async def sensor(reader, writer, berths):
    try:
        while line := await reader.readline():
            berths.apply(line.decode())
            writer.write(b"ok\n")
            await writer.drain()
    except asyncio.CancelledError:
        pass
    finally:
        writer.close()


async def main(seconds):
    berths = Berths()
    server = await asyncio.start_server(lambda r, w: sensor(r, w, berths), "127.0.0.1", 18511)
    async with server:
        await asyncio.sleep(seconds)
    print(berths.events, "events,", sum(berths.taken.values()), "berths taken")


asyncio.run(main(float(sys.argv[1])))
