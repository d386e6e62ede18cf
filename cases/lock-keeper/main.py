"""A lock on a canal: writes down each ship, in log files of a size that fits on the old terminal."""
import logging
import logging.handlers
import time


def open_log():
    log = logging.getLogger("lock")
    log.setLevel(logging.INFO)
    log.propagate = False
    handler = logging.handlers.RotatingFileHandler("lock.log", maxBytes=1500, backupCount=200)
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
    log.addHandler(handler)
    return log


def pass_ship(log, number):
    level = 310 + number * 7 % 40
    log.info("ship %d: %d cm, %s", number, level, "up" if number % 2 else "down")
    return level


start = time.perf_counter()
log = open_log()
ships = levels = 0
while time.perf_counter() - start < 2.0:
    levels += pass_ship(log, ships)
    ships += 1
with open("truth", "w") as f:
    f.write(f"ships {ships}\nmean_level {levels / ships:.1f}\n")
