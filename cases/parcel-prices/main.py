"""Computes the prices of parcels in worker processes."""
import multiprocessing
import time

ZONES = {zone: (zone * 7 % 13 + 3, zone * 5 % 11 + 1) for zone in range(400)}


def price(parcel):
    weight, zone = parcel
    base, step = ZONES[zone]
    total = base
    for started in range(0, weight, 500):
        total += step * (3 if started > 5000 else 2)
    return total


def parcels(batch):
    return [((i * 911 + batch * 37) % 20_000, (i + batch) % 400) for i in range(40)]


def main():
    context = multiprocessing.get_context("fork")
    total, batches, start = 0, 0, time.monotonic()
    # A worker once leaked memory; each now does one task only.
    with context.Pool(2, maxtasksperchild=1) as pool:
        while time.monotonic() - start < 2.0:
            total += sum(pool.map(price, parcels(batches), chunksize=1))
            batches += 1
    print(batches, "batches,", total, "cents")


if __name__ == "__main__":
    main()
