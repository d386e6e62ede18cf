"""Writes the pages of a harbor. Their four sections come from four services, which are asked at the same time."""
import asyncio
import time

with open("ready") as ready:
    port = int(ready.read())
took = {"berths": 0.0, "ferries": 0.0, "tide": 0.0, "news": 0.0}


class Service:
    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer

    async def ask(self, name):
        before = time.perf_counter()
        self.writer.write(f"{name}\n".encode())
        text = await self.reader.readline()
        took[name] += time.perf_counter() - before
        return text.decode()


async def free_berths(service):
    return "<h2>Berths</h2>" + await service.ask("berths")


async def next_ferries(service):
    return "<h2>Ferries</h2>" + await service.ask("ferries")


async def tide_forecast(service):
    return "<h2>Tide</h2>" + await service.ask("tide")


async def harbor_news(service):
    return "<h2>News</h2>" + await service.ask("news")


async def write_page(services):
    sections = zip((free_berths, next_ferries, tide_forecast, harbor_news), services)
    return "\n".join(await asyncio.gather(*(section(service) for section, service in sections)))


async def main():
    services = [Service(*await asyncio.open_connection("127.0.0.1", port)) for _ in took]
    pages, start = 0, time.perf_counter()
    while time.perf_counter() - start < 2:
        await write_page(services)
        pages += 1
    with open("truth", "w") as truth:
        truth.write(f"pages {pages}\n" + "".join(f"ms_{name} {each / pages * 1e3:.0f}\n" for name, each in took.items()))


asyncio.run(main())
