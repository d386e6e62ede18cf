"""The yearly reports of a village shop: the sales of each year, a few queries with joins over them, and some pages of text."""
import random
import sqlite3
import time


def open_shop():
    database = sqlite3.connect(":memory:")
    database.executescript("""
        create table goods (id integer primary key, name text, kind text);
        create table sales (good integer, day integer, pieces integer, cents integer);
    """)
    database.executemany("insert into goods values (?, ?, ?)",
                         [(n, f"good {n}", random.choice(["bread", "milk", "paper", "tools"])) for n in range(800)])
    return database


def load_year(database, sales):
    database.execute("delete from sales")
    database.executemany("insert into sales values (?, ?, ?, ?)",
                         ((random.randrange(800), day % 365, random.randrange(1, 6), random.randrange(50, 900))
                          for day in range(sales)))
    database.commit()


def best_goods(database):
    return database.execute("""
        select goods.name, sum(pieces), sum(pieces * cents) as total from sales
        join goods on goods.id = sales.good group by goods.id order by total desc limit 20""").fetchall()


def by_week(database):
    return database.execute("""
        select kind, day / 7, sum(pieces * cents) from sales join goods on goods.id = sales.good
        group by kind, day / 7 order by 1, 2""").fetchall()


def page(title, rows):
    lines = [title, "=" * len(title)]
    lines += [" ".join(str(cell).rjust(12) for cell in row) for row in rows]
    return "\n".join(lines)


def main():
    start = time.perf_counter()
    random.seed(12)
    database = open_shop()
    year = 2000
    with open("report.txt", "w") as report:
        while time.perf_counter() - start < 2:
            load_year(database, 40_000)
            report.write(page(f"Best goods {year}", best_goods(database)))
            report.write(page(f"By week {year}", by_week(database)))
            year += 1
    print(year - 2000, "reports")


main()
