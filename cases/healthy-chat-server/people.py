"""Twelve people who enter each new chat room, and write a line every 0.7 s."""
import asyncio
import os


async def talk(port, number):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    await asyncio.sleep(0.05 * number)
    listening = asyncio.create_task(reader.read())
    while not listening.done():
        writer.write(f"{number}: hello again\n".encode())
        await asyncio.wait([listening], timeout=0.7)
    writer.close()


async def main():
    with open("ready", "w"):
        pass
    while True:
        while not os.path.exists("port"):
            await asyncio.sleep(0.01)
        with open("port") as file:
            port = int(file.read())
        os.remove("port")
        await asyncio.gather(*(talk(port, n) for n in range(12)), return_exceptions=True)

asyncio.run(main())
