"""Answers the questions of a day about trams, as they come from the gateway."""
import random
import time

from router import App


class Timetable:
    def __init__(self):
        self.departures = {line: list(range(300 + line, 1400, 7 + line % 5)) for line in range(20)}

    def next(self, line, minute):
        for departure in self.departures[line]:
            if departure >= minute:
                return departure
        return None


class Fares:
    def price(self, zones):
        return 150 + 90 * zones


app = App()
timetable, fares = Timetable(), Fares()
app.container.provide(Timetable, lambda: timetable)
app.container.provide(Fares, lambda: fares)


@app.route("/next")
def next_tram(table: "Timetable", line: "int", minute: "int") -> "dict":
    return {"line": line, "at": table.next(line, minute)}


@app.route("/fare")
def fare(prices: "Fares", zones: "int", child: "bool" = False) -> "dict":
    return {"price": prices.price(zones)}


def main():
    random.seed(2)
    start = time.perf_counter()
    answered = 0
    while time.perf_counter() - start < 2:
        request = {"line": str(random.randrange(20)), "minute": str(random.randrange(300, 1300))}
        app.handle("/next", request)
        app.handle("/fare", {"zones": str(random.randrange(6)), "child": ""})
        answered += 2
    print(answered, "answers")


main()
