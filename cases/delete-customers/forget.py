"""Forgets the customers who asked for it: their orders go with them (on delete cascade)."""
import sqlite3
import time

spent = [0.0, 0]


def connect():
    database = sqlite3.connect("shop.db", isolation_level=None)
    database.execute("pragma foreign_keys = on")
    return database


def requests(database):
    rows = database.execute("select id, name from customers where id % 7 = 3 order by id")
    return rows.fetchall()


def remove_customer(database, number):
    before = time.perf_counter()
    database.execute("delete from customers where id = ?", (number,))
    spent[0] += time.perf_counter() - before
    spent[1] += 1


def letter(name):
    return f"Dear {name},\nwe have forgotten you.\n"


def forget_all(database, seconds):
    end = time.monotonic() + seconds
    letters = []
    database.execute("begin")
    for number, name in requests(database):
        remove_customer(database, number)
        letters.append(letter(name))
        if time.monotonic() > end:
            break
    database.execute("commit")
    return letters


def time_with_index(database):
    database.execute("begin")
    database.execute("create index orders_of on orders(customer)")
    before = time.perf_counter()
    for number in range(2, 200, 7):
        database.execute("delete from customers where id = ?", (number,))
    took = (time.perf_counter() - before) / 29
    database.execute("rollback")
    return took


def main():
    start = time.perf_counter()
    database = connect()
    letters = forget_all(database, 2.0)
    wall = time.perf_counter() - start
    with open("letters.txt", "w") as out:
        out.writelines(letters)
    with open("truth", "w") as truth:
        print("forgotten", len(letters), file=truth)
        print("removing", spent[0] / wall, file=truth)
        print("ms_each", 1000 * spent[0] / spent[1], file=truth)
        print("ms_with_an_index", 1000 * time_with_index(database), file=truth)


main()
