import sqlite3

shop = sqlite3.connect("shop.db")
shop.execute("create table customers (id integer primary key, email text, name text)")
rows = ((n, f"customer{n * 7919 % 40000}@mail.example.test", f"Customer {n}") for n in range(40000))
shop.executemany("insert into customers values (?, ?, ?)", rows)
shop.commit()
