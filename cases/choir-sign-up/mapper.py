"""A small object mapper: rows become objects, and a session keeps each object only once."""
from dataclasses import dataclass, fields


@dataclass
class Singer:
    number: int
    name: str
    voice: str
    town: str


class Session:
    def __init__(self, database):
        self.database = database
        self.known = []
        self.dirty = []

    def track(self, entity):
        if entity in self.known:
            return self.known[self.known.index(entity)]
        self.known.append(entity)
        return entity

    def load_all(self, kind, table):
        names = ", ".join(f.name for f in fields(kind))
        for row in self.database.execute(f"select {names} from {table} order by number"):
            yield self.track(kind(*row))

    def mark_dirty(self, entity):
        self.dirty.append(entity)

    def flush(self, table):
        self.database.executemany(
            f"update {table} set voice = ? where number = ?",
            [(e.voice, e.number) for e in self.dirty],
        )
        self.database.commit()
        self.dirty.clear()
