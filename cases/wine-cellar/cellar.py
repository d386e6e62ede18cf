"""Keeps the stock of a restaurant's wine cellar while an evening's orders come in."""
import logging
import pprint
import time

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
log = logging.getLogger("cellar")

REGIONS = ["Ahr", "Baden", "Franken", "Mosel", "Nahe", "Pfalz", "Rheingau", "Saale", "Sachsen"]


def fill_cellar():
    return {region: {f"shelf {shelf}": {"vintage": 1995 + shelf * 2, "bottles": 20 + shelf, "price": 18.5 + shelf}
                     for shelf in range(12)}
            for region in REGIONS}


def draw_bottle(cellar, region, shelf):
    place = cellar[region][f"shelf {shelf}"]
    if place["bottles"] == 0:
        log.debug("%s, shelf %d is empty, refilled", region, shelf)
        place["bottles"] = 24
    place["bottles"] -= 1
    log.debug("after the sale the cellar contains:\n" + pprint.pformat(cellar))
    return place["price"]


def serve_table(cellar, number):
    total = 0.0
    for guest in range(4):
        total += draw_bottle(cellar, REGIONS[(number + guest) % len(REGIONS)], (number * 5 + guest) % 12)
    return total


def main():
    cellar = fill_cellar()
    start = time.perf_counter()
    tables, revenue = 0, 0.0
    while time.perf_counter() - start < 2.0:
        revenue += serve_table(cellar, tables)
        tables += 1
    log.info("%d tables, %.2f euros", tables, revenue)


main()
