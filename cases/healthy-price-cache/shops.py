"""Three shops ask the cache for prices now and then, for two seconds; at the end, the first stops it."""
import asyncio
import os
import random


async def shop(number, port, until):
    loop = asyncio.get_running_loop()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    dice = random.Random(number)
    while loop.time() < until:
        lines = [f"set article-{dice.randrange(500)} {dice.randrange(10000)}\n"]
        lines += [f"get article-{dice.randrange(500)}\n" for _ in range(9)]
        writer.write("".join(lines).encode())
        for _ in lines:
            await reader.readline()
        await asyncio.sleep(dice.uniform(0.005, 0.03))
    if number == 0:
        await asyncio.sleep(0.1)
        writer.write(b"stop\n")
        await reader.readline()
    writer.close()


async def main():
    open("ready", "w").close()
    while not os.path.exists("port"):
        await asyncio.sleep(0.01)
    with open("port") as file:
        port = int(file.read())
    until = asyncio.get_running_loop().time() + 1.8
    await asyncio.gather(*(shop(number, port, until) for number in range(3)))


asyncio.run(main())
