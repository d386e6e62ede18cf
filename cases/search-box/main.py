"""Feeds the typing of an hour, recorded in a library's catalogue, to the search box and counts the searches."""
import threading
import time

SECONDS = 2.0
TITLES = ["history of the %s of %s" % (a, b) for a in ("lakes", "bridges", "guilds", "mills")
          for b in ("Bern", "Basel", "Chur", "Thun", "Biel")]


class SearchBox:
    """Searches when nobody has typed for a while."""

    def __init__(self, titles, quiet=0.4):
        self.titles = titles
        self.quiet = quiet
        self.text = ""
        self.timer = None
        self.searches = 0

    def search(self):
        self.searches += 1
        return [title for title in self.titles if self.text in title]

    def on_key(self, key):
        self.text += key
        if self.timer is not None:
            self.timer.cancel()
        self.timer = threading.Timer(self.quiet, self.search)
        self.timer.daemon = True
        self.timer.start()

    def clear(self):
        self.text = ""
        if self.timer is not None:
            self.timer.cancel()


def replay(box, until):
    keys = 0
    while time.perf_counter() < until:
        for title in TITLES:
            for key in title:
                box.on_key(key)
                keys += 1
            box.search()
            box.clear()
    return keys


def main():
    box = SearchBox(TITLES)
    keys = replay(box, time.perf_counter() + SECONDS)
    print(keys, "keys,", box.searches, "searches")
    with open("truth", "w") as out:
        out.write("threads %d\n" % keys)


main()
