"""Takes the events of a burglar alarm and decides what to do; each event gets a thread of its own."""
import threading
import time

handled = []
handling = 0.0
ROOMS = ("hall", "kitchen", "office", "cellar")


class Event:
    def __init__(self, number):
        self.number = number
        self.room = ROOMS[number % len(ROOMS)]
        self.level = number * 31 % 100


def decide(event):
    if event.level > 97:
        return "call the police"
    if event.level > 90:
        return "ring"
    return "note"


def handle_event(event):
    handled.append((event.number, event.room, decide(event)))


def dispatch(event):
    """So that a slow event cannot hold up the others, as its author thought."""
    thread = threading.Thread(target=handle_event, args=(event,), name=f"event-{event.number}")
    thread.start()
    thread.join(1)


def summary():
    counts = {}
    for _, room, action in handled:
        counts[room, action] = counts.get((room, action), 0) + 1
    return counts


def main():
    global handling
    start = time.monotonic()
    number = 0
    while time.monotonic() - start < 2:
        before = time.monotonic()
        dispatch(Event(number))
        handling += time.monotonic() - before
        number += 1
    wall = time.monotonic() - start
    with open("truth", "w") as truth:
        truth.write(f"dispatch {handling / wall:.3f}\nevents {number}\nrooms {len(summary())}\n")


main()
