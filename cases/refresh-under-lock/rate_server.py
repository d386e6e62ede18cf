# Answers each question for a rate after 30 ms, any number of them at a time.
import asyncio

async def client(reader, writer):
    while line := await reader.readline():
        await asyncio.sleep(0.03)
        writer.write(b"%d\n" % (100 + len(line)))
        await writer.drain()

async def main():
    server = await asyncio.start_server(client, "127.0.0.1", 0)
    with open("port", "w") as file:
        file.write(str(server.sockets[0].getsockname()[1]))
    open("ready", "w").close()
    await server.serve_forever()

asyncio.run(main())
