"""The orders of a shop."""
import sqlite3

shop = sqlite3.connect("shop.db")
shop.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY, customer TEXT)")
shop.execute("CREATE TABLE line (order_id INTEGER, article TEXT, cents INTEGER)")
shop.execute("CREATE INDEX line_order ON line (order_id)")
shop.executemany("INSERT INTO orders VALUES (?, ?)", ((n, f"Customer {n * 31 % 9000}") for n in range(20_000)))
shop.executemany("INSERT INTO line VALUES (?, ?, ?)", ((n // 3, f"Article {n % 977}", n * 37 % 9000) for n in range(60_000)))
shop.commit()
shop.close()
