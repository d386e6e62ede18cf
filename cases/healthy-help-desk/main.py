"""A help desk for five callers: an event loop with moderate load, which answers each question at once and in between
waits for the next. It ends when the last caller has gone."""
import asyncio
import collections
import time

ANSWERS = {"printer": "Please switch it off and on.", "password": "A new one is on its way.",
           "screen": "Is it plugged in?"}
topics = collections.Counter()
slowest = busy = 0.0
callers = 0


def answer_question(question):
    words = question.lower().split()
    for topic, answer in ANSWERS.items():
        if topic in words:
            topics[topic] += 1
            return answer
    topics["other"] += 1
    return "A colleague will call you."


async def serve_caller(reader, writer, all_gone):
    global slowest, busy, callers
    callers += 1
    while line := await reader.readline():
        before = time.perf_counter()
        writer.write(answer_question(line.decode()).encode() + b"\n")
        took = time.perf_counter() - before
        slowest, busy = max(slowest, took), busy + took
    writer.close()
    callers -= 1
    if callers == 0:
        all_gone.set()


async def main():
    all_gone = asyncio.Event()
    server = await asyncio.start_unix_server(lambda reader, writer: serve_caller(reader, writer, all_gone), "desk")
    async with server:
        await all_gone.wait()


start = time.monotonic()
asyncio.run(main())
with open("truth", "w") as truth:
    truth.write(f"questions {sum(topics.values())}\nslowest_ms {1000 * slowest:.2f}\n"
                f"busy {busy / (time.monotonic() - start):.4f}\n")
