"""Writes a line to a log every 0.3 s, as long as it is left to."""
import time

with open("printer.log", "w") as log:
    open("ready", "w").close()
    page = 0
    while True:
        time.sleep(0.3)
        page += 1
        log.write(f"page {page} is printed\n")
        log.flush()
