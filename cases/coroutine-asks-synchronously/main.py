"""A city guide that serves eight visitors by coroutines. One call in it is not asynchronous: it asks a weather service
through http.client, and nobody else gets a turn until the answer is there."""
import asyncio
import http.client
import time

with open("ready") as ready:
    port = int(ready.read())
weather_service = http.client.HTTPConnection("127.0.0.1", port)
asked, waited, pages, beats, latest = 0, 0.0, 0, 0, 0.0


def current_weather(city):
    global asked, waited
    before = time.monotonic()
    weather_service.request("GET", f"/weather?city={city}")
    text = weather_service.getresponse().read()
    waited += time.monotonic() - before
    asked += 1
    return text


async def city_page(city):
    await asyncio.sleep(0.002)  # reads the rest of the page from somewhere
    return f"<h1>{city}</h1>{current_weather(city)}"


async def visitor(number, until):
    global pages
    while time.monotonic() < until:
        await city_page(f"city-{number}")
        pages += 1


async def heartbeat(until):
    global beats, latest
    while time.monotonic() < until:
        before = time.monotonic()
        await asyncio.sleep(0.01)
        latest = max(latest, time.monotonic() - before - 0.01)
        beats += 1


async def main():
    until = time.monotonic() + 2
    await asyncio.gather(heartbeat(until), *(visitor(n, until) for n in range(8)))


start = time.monotonic()
asyncio.run(main())
with open("truth", "w") as truth:
    truth.write(f"blocked {waited / (time.monotonic() - start):.3f}\nasked {asked}\npages {pages}\n"
                f"heartbeats {beats}\nlatest_ms {1000 * latest:.0f}\n")
