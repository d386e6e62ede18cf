"""Lists which plants are lent to which guest. Runs on a small machine, too."""
import sqlite3
import time

herbarium = sqlite3.connect("file:herbarium.db?mode=ro", uri=True, isolation_level=None)
herbarium.execute("pragma cache_size = 8")


def plants_of(guests):
    return herbarium.execute("select guest, count(*), sum(plant) from loan join sheet on number = sheet"
                             " where guest < ? group by guest", (guests,)).fetchall()


start, lists, plants = time.perf_counter(), 0, 0
while time.perf_counter() - start < 2:
    plants += sum(count for _, count, _ in plants_of(40))
    lists += 1
with open("truth", "w") as truth:
    truth.write(f"lists {lists}\nplants {plants}\n")
