"""A hub for choirs: shows previews of sheets, and keeps the singers' clocks in step (asyncio)."""
import asyncio
import os
import subprocess
import sys
import time

ENGRAVER = os.path.join(os.environ["CASE"], "engrave.py")


def engrave(notes):
    done = subprocess.run([sys.executable, "-S", "-E", ENGRAVER], input=" ".join(map(str, notes)),
                          capture_output=True, text=True, check=True)
    return float(done.stdout)


class Hub:
    def __init__(self):
        self.previews = 0
        self.beats = 0
        self.latest = 0.0
        self.engraving = 0.0

    async def preview(self, notes):
        start = time.perf_counter()
        width = engrave(notes)
        self.engraving += time.perf_counter() - start
        self.previews += 1
        return width

    async def visitor(self, number, until):
        while time.perf_counter() < until:
            await self.preview([number * 7 + n for n in range(60)])
            await asyncio.sleep(0.01)

    async def clock(self, until):
        while time.perf_counter() < until:
            due = time.perf_counter() + 0.05
            await asyncio.sleep(0.05)
            self.latest = max(self.latest, time.perf_counter() - due)
            self.beats += 1


async def main():
    hub = Hub()
    start = time.perf_counter()
    await asyncio.gather(hub.clock(start + 2), *(hub.visitor(n, start + 2) for n in range(3)))
    print(f"{hub.previews} previews, {hub.beats} beats, the latest by {hub.latest:.2f} s")
    with open("truth", "w") as f:
        f.write(f"share {hub.engraving / (time.perf_counter() - start):.2f}\n")


asyncio.run(main())
