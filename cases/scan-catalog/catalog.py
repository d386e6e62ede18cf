# Enters scans into the catalogue: catalog.py DATABASE SCAN...
import os
import sqlite3
import sys
import time


def describe(name):
    with open(name, "rb") as scan:
        dots = scan.read()
    return os.path.basename(name), len(dots), sum(dots) % 65521


def enter_scans(catalog, scans):
    before = time.monotonic()
    catalog.execute("begin immediate")
    begun = time.monotonic() - before
    catalog.executemany("insert into scan values (?, ?, ?)", scans)
    catalog.execute("commit")
    return begun


def main():
    catalog = sqlite3.connect(sys.argv[1], timeout=10, isolation_level=None)
    begun = enter_scans(catalog, [describe(name) for name in sys.argv[2:]])
    print(catalog.execute("select count(*) from scan").fetchone()[0], f"{begun:.3f}")


main()
