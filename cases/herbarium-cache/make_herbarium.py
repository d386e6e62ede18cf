import sqlite3

herbarium = sqlite3.connect("herbarium.db")
herbarium.execute("pragma page_size = 65536")
herbarium.execute("create table sheet(number integer primary key, plant integer, place text)")
herbarium.executemany("insert into sheet values(?, ?, ?)",
                      ((n * 3, n % 1777, f"meadow {n * 7 % 431} near the {n % 19}th mile stone of the old road") for n in range(60_000)))
herbarium.execute("create table loan(sheet integer, guest integer)")
herbarium.executemany("insert into loan values(?, ?)", ((n * 48271 % 60_000 * 3, n % 40) for n in range(40_000)))
herbarium.commit()
