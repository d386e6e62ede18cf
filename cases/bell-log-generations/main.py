"""Rings the bells of a carillon by a tune, and records each stroke in a log that is rotated at 400 bytes."""
import logging
import logging.handlers
import time

GENERATIONS = 120


class Bell:
    def __init__(self, name, weight):
        self.name = name
        self.weight = weight
        self.strokes = 0

    def strike(self, force):
        self.strokes += 1
        return force * self.weight % 97


def open_journal():
    journal = logging.getLogger("carillon")
    journal.setLevel(logging.INFO)
    handler = logging.handlers.RotatingFileHandler("carillon.log", maxBytes=400, backupCount=GENERATIONS)
    handler.setFormatter(logging.Formatter("%(asctime)s %(name)s %(message)s"))
    journal.addHandler(handler)
    return journal


logged = 0.0


def record_stroke(journal, bell, loudness):
    global logged
    before = time.perf_counter()
    journal.info("bell %s, stroke %d, %d kg, loudness %d, by the hammer of the clock", bell.name, bell.strokes, bell.weight, loudness)
    logged += time.perf_counter() - before


def play(tune, bells, journal):
    for step, name in enumerate(tune):
        bell = bells[name]
        record_stroke(journal, bell, bell.strike(step % 12))


def main():
    bells = {name: Bell(name, 200 + 37 * n) for n, name in enumerate("cdefgah")}
    journal = open_journal()
    start = time.perf_counter()
    tunes = 0
    while time.perf_counter() - start < 2:
        play("cdefggaaaagaaaagffffeeddddc", bells, journal)
        tunes += 1
    wall = time.perf_counter() - start
    with open("truth", "w") as truth:
        truth.write(f"logged {logged / wall:.3f}\ntunes {tunes}\nstrokes {sum(b.strokes for b in bells.values())}\n")


main()
