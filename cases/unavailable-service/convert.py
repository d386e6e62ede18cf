"""Converts prices; asks a service for the rates first, and tries again when it is not available."""
import http.client
import json
import time

paused = 0.0


def fetch(path):
    connection = http.client.HTTPConnection("127.0.0.1", int(open("port").read()), timeout=5)
    connection.request("GET", path)
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, body


def back_off(attempt):
    global paused
    before = time.monotonic()
    time.sleep(0.15 * 2 ** attempt)
    paused += time.monotonic() - before


def fetch_with_retries(path, most=6):
    for attempt in range(most):
        status, body = fetch(path)
        if status == 200:
            return json.loads(body)
        back_off(attempt)
    raise SystemExit("the rates service is not available")


def main():
    start = time.monotonic()
    rates = fetch_with_retries("/rates")
    prices = [price * rates["USD"] for price in range(1000)]
    took = time.monotonic() - start
    with open("truth", "w") as truth:
        truth.write(f"pausing {paused / took:.3f}\npaused {paused:.3f}\nsum {sum(prices):.0f}\n")


main()
