"""The biologist's program corrects the lengths of old fish, with one transaction around each year."""
import sqlite3
import time

with open("/proc/self/comm", "w") as comm:
    comm.write("biologist")
database = sqlite3.connect("river.db", timeout=0, isolation_level=None)
database.execute("pragma journal_mode = wal")
database.execute("create table fish (id integer primary key, gate integer, length real, seen real)")
database.execute("create table gates (gate integer primary key, fish integer)")
database.executemany("insert into gates values (?, 0)", [(n,) for n in range(4)])


def begin():
    """Gets the next chance between two writers."""
    while True:
        try:
            return database.execute("begin immediate")
        except sqlite3.OperationalError:
            time.sleep(0.0001)


def correct_year(year):
    begin()
    database.execute("update fish set length = length + 0.01 where id % 20 = ?", (year % 20,))
    time.sleep(0.3)     # asks the calibration sheet
    database.execute("commit")


open("ready", "w").close()
year = 0
while True:
    correct_year(year)
    time.sleep(0.02)
    year += 1
