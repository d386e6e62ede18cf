"""Five callers, each with a question every 20 to 60 ms, for two seconds."""
import asyncio
import os
import random


async def call(number, until):
    reader, writer = await asyncio.open_unix_connection("desk")
    dice = random.Random(number)
    while asyncio.get_running_loop().time() < until:
        writer.write(f"my {dice.choice(('printer', 'password', 'screen', 'chair'))} does not work\n".encode())
        await reader.readline()
        await asyncio.sleep(dice.uniform(0.02, 0.06))
    writer.close()


async def main():
    open("ready", "w").close()
    while not os.path.exists("desk"):
        await asyncio.sleep(0.01)
    await asyncio.sleep(0.05)
    until = asyncio.get_running_loop().time() + 1.9
    await asyncio.gather(*(call(number, until) for number in range(5)))


asyncio.run(main())
