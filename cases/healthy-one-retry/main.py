"""Computes statistics and sends them to a collector now and then. The first connect is refused, because the collector
listens at another port now; the second works. That costs 50 ms of two seconds."""
import socket
import time

with open("ready") as ready:
    ports = [1, int(ready.read())]
retries, sending = 0, 0.0


def connect():
    global retries
    for port in ports:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=1)
        except ConnectionRefusedError:
            retries += 1
            time.sleep(0.05)
    raise SystemExit("no collector")


def compute_statistics(numbers):
    mean = sum(numbers) / len(numbers)
    return mean, sum((number - mean) ** 2 for number in numbers) / len(numbers)


start, reports = time.monotonic(), 0
collector = connect()
connecting = time.monotonic() - start
numbers = [n * 7919 % 10_007 for n in range(100_000)]
while time.monotonic() - start < 2:
    mean, variance = compute_statistics(numbers)
    before = time.monotonic()
    collector.sendall(f"{mean} {variance}\n".encode())
    sending += time.monotonic() - before
    reports += 1
took = time.monotonic() - start
with open("truth", "w") as truth:
    truth.write(f"connecting {connecting / took:.3f}\nretries {retries}\nsending {sending / took:.4f}\n"
                f"cpu {time.process_time() / took:.3f}\nreports {reports}\n")
