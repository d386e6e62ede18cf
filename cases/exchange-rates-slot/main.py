"""Fetches exchange rates for a list of currencies. A slot limits how many questions are open at a time."""
import asyncio
import time

SLOTS = 1
waited = 0.0
asking = 0.0


class Bank:
    def __init__(self, port):
        self.port = port
        self.slot = asyncio.Semaphore(SLOTS)

    async def ask_rate(self, currency):
        global asking
        before = time.monotonic()
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(f"{currency}\n".encode())
        rate = float(await reader.readline())
        writer.close()
        asking += time.monotonic() - before
        return rate

    async def rate_of(self, currency):
        global waited
        before = time.monotonic()
        async with self.slot:
            waited += time.monotonic() - before
            return await self.ask_rate(currency)


def currencies():
    return [f"{a}{b}{c}" for a in "ACEG" for b in "BDFH" for c in "DKNRSU"]


async def fetch_table(bank, names):
    rates = await asyncio.gather(*(bank.rate_of(name) for name in names))
    return dict(zip(names, rates))


def write_table(table):
    with open("rates.csv", "w") as out:
        for name, rate in sorted(table.items()):
            out.write(f"{name};{rate:.4f}\n")


async def main():
    with open("port") as port:
        bank = Bank(int(port.read()))
    start = time.monotonic()
    names, tables = currencies(), 0
    while time.monotonic() - start < 1.9:
        write_table(await fetch_table(bank, names[tables * 16 % 96:][:16]))
        tables += 1
    wall = time.monotonic() - start
    with open("truth", "w") as truth:
        truth.write(f"asking {asking / wall:.3f}\nmean_queue {waited / wall:.1f}\ntables {tables}\n")


asyncio.run(main())
