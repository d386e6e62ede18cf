"""The catalogue of a library."""
import json


def read_catalogue(path):
    with open(path) as file:
        return Catalogue(json.load(file))


class Catalogue:
    def __init__(self, books):
        self.books = books

    def by_author(self, author):
        return [book for book in self.books if author in book["authors"]]

    def lend(self, number, reader):
        book = self.books[number]
        if book["reader"] is not None:
            raise ValueError(f"{book['title']} is lent already")
        book["reader"] = reader

    def lent(self):
        return [book for book in self.books if book["reader"] is not None]
