"""Prices orders in batches; each batch writes one line to a log, through the same handler as a chatty program."""
import logging
import time

handler = logging.FileHandler("batches.log")
handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
log = logging.getLogger("prices")
log.addHandler(handler)
log.setLevel(logging.INFO)


def price_batch(batch):
    total = 0
    for order in range(batch * 20_000, batch * 20_000 + 20_000):
        total += order * 19 % 10_000
    return total


end, batches = time.monotonic() + 1.8, 0
while time.monotonic() < end:
    log.info("batch %d of the order book is priced, its sum is %d cents", batches, price_batch(batches))
    batches += 1
with open("truth", "w") as truth:
    truth.write(f"batches {batches}\n")
