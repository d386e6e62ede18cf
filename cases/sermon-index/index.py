"""Builds the index of persons for a volume of sermons: for each person the pages on which the name stands."""
import re
import time

FIRST = ["Anna", "Bernard", "Clara", "David", "Elias", "Frieda", "Georg", "Hanna", "Isaak", "Jakob",
         "Katharina", "Lukas", "Martha", "Nathan", "Otto", "Paula", "Rahel", "Samuel", "Tobias", "Ursula"]
LAST = ["Acker", "Baum", "Christ", "Dorn", "Ebner", "Fink", "Gruber", "Huber", "Imhof", "Jost", "Keller", "Lang",
        "Maler", "Noll", "Ott", "Pfister", "Rieger", "Sauer", "Thoma", "Ulmer", "Vogt", "Weber", "Zeller", "Zopf",
        "Zorn", "Zweig", "Abt", "Bach", "Cramer", "Dietz", "Engel", "Faber", "Graf", "Hahn", "Kern"]
WORDS = "and so it was said that the harvest is great while the labourers are few in the field".split()

PERSONS = [f"{first} {last}" for last in LAST for first in FIRST]


def page_text(number):
    words = []
    for n in range(120):
        words.append(WORDS[(n * 7 + number) % len(WORDS)])
        if n % 40 == number % 40:
            words.append(PERSONS[(number * 31 + n) % len(PERSONS)])
    return " ".join(words)


def mentions(person, text):
    """Whether the person is named in the text, in whatever spelling of upper and lower case."""
    name = r"\s+".join(re.escape(part) for part in person.split())
    return re.search(rf"\b{name}(?:'s)?\b", text, re.IGNORECASE) is not None


def add_page(index, number):
    text = page_text(number)
    for person in PERSONS:
        if mentions(person, text):
            index.setdefault(person, []).append(number)


def main():
    start = time.perf_counter()
    index = {}
    pages = 0
    while time.perf_counter() - start < 2.0:
        add_page(index, pages)
        pages += 1
    with open("index.txt", "w") as out:
        for person in sorted(index):
            out.write(f"{person}: {', '.join(map(str, index[person]))}\n")
    print(pages, "pages,", len(index), "persons")


main()
