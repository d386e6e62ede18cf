"""Writes the bills of a bicycle workshop. The price of each part is asked for when the one before is known, although
they do not depend on each other."""
import asyncio
import time

with open("ready") as ready:
    port = int(ready.read())
PARTS = ("chain", "brake pads", "inner tube", "bell", "spokes")
asked, waited = 0, 0.0


class Prices:
    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer

    async def ask_price(self, part):
        self.writer.write(f"{part}\n".encode())
        await self.writer.drain()
        return int(await self.reader.readline())


async def price_of(prices, part):
    global asked, waited
    before = time.monotonic()
    price = await prices.ask_price(part)
    waited += time.monotonic() - before
    asked += 1
    return price


async def write_bill(prices, customer):
    lines = [f"bill of {customer}"]
    total = 0
    for part in PARTS:
        price = await price_of(prices, part)
        lines.append(f"{part}: {price / 100:.2f}")
        total += price
    return "\n".join(lines + [f"total: {total / 100:.2f}"])


async def main():
    prices = Prices(*await asyncio.open_connection("127.0.0.1", port))
    start, bills = time.monotonic(), []
    while time.monotonic() - start < 2:
        bills.append(await write_bill(prices, f"customer {len(bills)}"))
    seconds = time.monotonic() - start
    with open("truth", "w") as truth:
        truth.write(f"waiting {waited / seconds:.3f}\nasked {asked}\nbills {len(bills)}\n")


asyncio.run(main())
