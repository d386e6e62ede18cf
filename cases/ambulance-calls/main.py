"""Replays a night of a dispatch center: calls come in with an urgency, ambulances take the most urgent one."""
import heapq
import random
import time

SECONDS = 2.0


class Desk:
    def __init__(self):
        self.waiting = []
        self.number = 0
        self.answered = 0

    def take_call(self, urgency, street):
        self.number += 1
        self.waiting.append((urgency, self.number, street))
        heapq.heapify(self.waiting)

    def next_call(self):
        self.answered += 1
        return heapq.heappop(self.waiting)


def night(desk, dice, until):
    for house in range(9000):
        desk.waiting.append((dice.random() + 5, -house, "transport %d" % house))
    minutes = 0
    while time.perf_counter() < until:
        for _ in range(dice.randint(2, 4)):
            desk.take_call(round(dice.random() * 10, 3), "street %d" % dice.randrange(900))
        for _ in range(2):
            desk.next_call()
        minutes += 1
    return minutes


def main():
    desk = Desk()
    minutes = night(desk, random.Random(4), time.perf_counter() + SECONDS)
    print(minutes, "minutes,", desk.answered, "answered,", len(desk.waiting), "waiting")


main()
