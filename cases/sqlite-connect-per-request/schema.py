"""Makes the database of a shop, with as many tables as such databases have."""
import sqlite3

shop = sqlite3.connect("shop.db")
for number in range(60):
    shop.execute(f"create table area_{number} (id integer primary key, name text, price real, changed text)")
    shop.execute(f"create index area_{number}_by_name on area_{number} (name)")
shop.executemany("insert into area_7 values (?, ?, 17.5, '')", [(n, f"article {n}") for n in range(1000)])
shop.commit()
