"""One file per half day of bookings: each holds the inserts of 500 days of leave."""
import random

rng = random.Random(9)
for month in range(60):
    with open(f"book{month:02d}.sql", "w") as out:
        out.write("begin;\n")
        for _ in range(500):
            out.write(f"insert into leave (person, day, hours) values ({rng.randrange(900)}, {rng.randrange(365)}, 8);\n")
        out.write("commit;\n")
