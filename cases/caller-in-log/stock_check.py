"""Checks the stock of a warehouse. Its log names the function that wrote each line."""
import collections
import email.message
import inspect
import json
import logging.handlers
import time
import unittest.mock

spent = [0.0, 0]


class Journal:
    """Keeps the last lines; they are written when something goes wrong."""

    def __init__(self):
        self.lines = collections.deque(maxlen=2000)

    def caller(self):
        frame = inspect.stack()[2]
        return f"{frame.function}:{frame.lineno}"

    def note(self, text, **values):
        before = time.perf_counter()
        where = self.caller()
        spent[0] += time.perf_counter() - before
        spent[1] += 1
        self.lines.append((where, text, values))


journal = Journal()


def read_shelf(number):
    return [{"article": (number * 31 + n * 7) % 900, "amount": n * number % 13} for n in range(12)]


def check_article(entry, wanted):
    missing = max(0, wanted.get(entry["article"], 0) - entry["amount"])
    if missing:
        journal.note("missing", article=entry["article"], amount=missing)
    return missing


def check_shelf(number, wanted):
    journal.note("shelf", number=number)
    return sum(check_article(entry, wanted) for entry in read_shelf(number))


def order(missing, number):
    message = email.message.EmailMessage()
    message["To"] = "purchase@example.org"
    message["Subject"] = f"Shelf {number}"
    message.set_content(json.dumps({"shelf": number, "missing": missing}))
    return message.as_bytes()


def check_all(seconds):
    wanted = {article: article % 9 for article in range(900)}
    end = time.monotonic() + seconds
    mails = []
    shelf = 0
    while time.monotonic() < end:
        missing = check_shelf(shelf, wanted)
        if missing > 30 and len(mails) < 50:
            mails.append(order(missing, shelf))
        shelf += 1
    return shelf, mails


def main():
    start = time.perf_counter()
    shelves, mails = check_all(2.0)
    wall = time.perf_counter() - start
    with open("orders.mbox", "wb") as out:
        out.writelines(mails)
    with open("truth", "w") as truth:
        print("shelves", shelves, file=truth)
        print("lines", spent[1], file=truth)
        print("caller", spent[0] / wall, file=truth)


main()
