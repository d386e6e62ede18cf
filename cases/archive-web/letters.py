import random, sqlite3
r = random.Random(9)
db = sqlite3.connect("archive.db")
db.execute("CREATE TABLE letters (number INTEGER PRIMARY KEY, title TEXT, sender INTEGER, shelf INTEGER, year INTEGER)")
db.executemany("INSERT INTO letters VALUES (?, ?, ?, ?, ?)", ((i, f"Letter {i}", r.randrange(50), r.randrange(9), r.randrange(1850, 1950)) for i in range(20000)))
db.execute("CREATE INDEX by_shelf ON letters (shelf)")
db.commit()
