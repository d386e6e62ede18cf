"""A name server that knows *.partner.test; whatever ends in another domain does not exist. Each answer takes 25 ms."""
import asyncio


def answer_to(question):
    end, labels = 12, []
    while question[end]:
        labels.append(question[end + 1:end + 1 + question[end]])
        end += 1 + question[end]
    kind = int.from_bytes(question[end + 1:end + 3], "big")
    known = labels[-2:] == [b"partner", b"test"]
    head = question[:2] + (b"\x81\x80" if known else b"\x81\x83") + b"\0\1"
    body = question[12:end + 5]
    if known and kind == 1:
        return head + b"\0\1\0\0\0\0" + body + b"\xc0\x0c\0\1\0\1\0\0\0\0\0\4\xc0\0\2\x07"
    return head + b"\0\0\0\0\0\0" + body


class Server(asyncio.DatagramProtocol):
    def connection_made(self, transport):
        self.transport = transport

    def datagram_received(self, question, client):
        asyncio.get_running_loop().call_later(0.025, self.transport.sendto, answer_to(question), client)


async def main():
    with open("/proc/self/comm", "w") as comm:
        comm.write("name_server")
    await asyncio.get_running_loop().create_datagram_endpoint(Server, ("127.9.8.8", 53))
    open("ready", "w").close()
    await asyncio.Event().wait()

asyncio.run(main())
