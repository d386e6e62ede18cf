# Harvests the records of other archives: a transaction for each, which stays open until their server has answered.
import sqlite3
import time

catalog = sqlite3.connect("archive.db", timeout=30, isolation_level=None)
catalog.execute("pragma synchronous = off")
catalog.execute("create table if not exists scan (name text, bytes integer, sum integer)")
catalog.execute("create table if not exists record (text text)")


def fetch_record(number):
    time.sleep(0.8)
    return f"record {number}"


def harvest(number):
    catalog.execute("begin immediate")
    catalog.execute("insert into record values (?)", (fetch_record(number),))
    catalog.execute("commit")


open("ready", "w").close()
number = 0
while True:
    harvest(number)
    number += 1
    time.sleep(0.12)
