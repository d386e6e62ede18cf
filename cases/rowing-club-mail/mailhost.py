"""A mail host that looks each caller up before it greets him."""
import asyncio
import os


async def serve(reader, writer):
    await asyncio.sleep(0.06)
    writer.write(b"220 mail.example.test\r\n")
    in_letter = False
    while line := await reader.readline():
        line = line.strip()
        if in_letter:
            if line != b".":
                continue
            in_letter = False
            writer.write(b"250 accepted\r\n")
        elif line == b"DATA":
            in_letter = True
            writer.write(b"354 go on\r\n")
        elif line == b"QUIT":
            writer.write(b"221 bye\r\n")
            break
        else:
            writer.write(b"250 ok\r\n")
    await writer.drain()
    writer.close()


async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    with open("ready.new", "w") as f:
        f.write(str(server.sockets[0].getsockname()[1]))
    os.rename("ready.new", "ready")
    await server.serve_forever()


asyncio.run(main())
