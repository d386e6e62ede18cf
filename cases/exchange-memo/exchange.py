"""A bureau of exchange finds the best way between two currencies, also by way of others."""
import functools
import time

CURRENCIES = 34
computing = 0.0


def listed(source, target, day):
    return 0.9 + (source * 31 + target * 17 + day) % 97 / 500


@functools.lru_cache(maxsize=256)
def cross_rates(desk, asked_at):
    """The best rate between any two currencies, at this desk."""
    day = int(asked_at // 86400)
    rates = [[1.0 if a == b else listed(a, b, day + desk) for b in range(CURRENCIES)] for a in range(CURRENCIES)]
    for way in range(CURRENCIES):
        for row in rates:
            first = row[way]
            for target, second in enumerate(rates[way]):
                if first * second * 0.98 > row[target]:
                    row[target] = first * second * 0.98
    return rates


def best_way(desk, source, target):
    global computing
    before = time.perf_counter()
    rate = cross_rates(desk, time.time())[source][target]
    computing += time.perf_counter() - before
    return rate


start, orders, paid = time.perf_counter(), 0, 0.0
while time.perf_counter() - start < 2:
    paid += 100 * best_way(orders % 3, orders % CURRENCIES, orders * 7 % CURRENCIES)
    orders += 1
wall = time.perf_counter() - start
known = cross_rates.cache_info()
with open("truth", "w") as truth:
    truth.write(f"share {computing / wall:.3f}\norders {orders}\nhits {known.hits}\nmisses {known.misses}\n")
