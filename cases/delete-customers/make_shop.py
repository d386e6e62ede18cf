"""Makes a shop of 5,000 customers with 60,000 orders, which refer to them; there is no index on orders."""
import sqlite3

database = sqlite3.connect("shop.db")
database.execute("create table customers(id integer primary key, name text)")
database.execute(
    "create table orders(id integer primary key, amount integer,"
    " customer integer references customers(id) on delete cascade)"
)
database.executemany("insert into customers values(?, ?)", ((n, f"Customer {n}") for n in range(5000)))
database.executemany("insert into orders values(?, ?, ?)", ((n, n % 97, n * 7919 % 5000) for n in range(60000)))
database.commit()
