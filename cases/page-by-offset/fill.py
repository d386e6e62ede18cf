import sqlite3

shop = sqlite3.connect("shop.db")
shop.execute("create table orders (id integer primary key, customer text, amount integer)")
rows = ((n, f"customer-{n * 7919 % 5003}", n % 997) for n in range(600_000))
shop.executemany("insert into orders values (?, ?, ?)", rows)
shop.commit()
