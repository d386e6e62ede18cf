"""The register of clinics."""
import sqlite3

import geography


class Register:
    def __init__(self, path):
        self.database = sqlite3.connect(path)
        self.database.create_function("km_between", 4, geography.km_between, deterministic=True)

    def fill(self, count):
        with self.database:
            self.database.execute("create table clinic(name text, latitude real, longitude real)")
            self.database.executemany("insert into clinic values (?, ?, ?)",
                                      ((f"clinic {n}", *geography.place_of(n * 13 + 5)) for n in range(count)))
            self.database.execute("create index clinic_place on clinic(latitude, longitude)")

    def nearest(self, latitude, longitude, limit):
        query = ("select name, km_between(latitude, longitude, ?, ?) as km from clinic "
                 "where km < 400 order by km limit ?")
        return self.database.execute(query, (latitude, longitude, limit)).fetchall()
