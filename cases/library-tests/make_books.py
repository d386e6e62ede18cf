# The books that the tests of a catalogue use.
import json

books = [{"title": f"Book {n}", "authors": [f"Author {n % 97}", f"Author {n % 89}"], "year": 1900 + n % 120, "reader": None,
          "shelves": [{"floor": n % 4, "shelf": n % 300, "copies": n % 3 + 1}]} for n in range(12_000)]
with open("books.json", "w") as out:
    json.dump(books, out)
