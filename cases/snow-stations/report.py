"""The avalanche service's morning report: asks all stations for their depth of snow and lists the deepest."""
import asyncio
from pathlib import Path

STATIONS = range(36)
ASK_AT_ONCE = 1


async def read_station(port, gate, number):
    async with gate:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"{number}\n".encode())
        station, depth = (await reader.readline()).split()
        writer.close()
        await writer.wait_closed()
        return int(station), int(depth)


async def report():
    port = int(Path("port").read_text())
    gate = asyncio.Semaphore(ASK_AT_ONCE)
    depths = await asyncio.gather(*(read_station(port, gate, number) for number in STATIONS))
    for station, depth in sorted(depths, key=lambda entry: -entry[1])[:5]:
        print(f"station {station}: {depth} cm")


asyncio.run(report())
