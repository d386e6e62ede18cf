"""Prints a family's chronicle from its tree in XML: each person with the parent and the number of siblings."""
import xml.etree.ElementTree as ET

GENERATIONS = [4, 5, 6, 5, 4, 3]


def plant(parent, generation, year):
    if generation == len(GENERATIONS):
        return
    for number in range(GENERATIONS[generation]):
        born = year + 25 + number * 2
        child = ET.SubElement(parent, "person", name=f"{parent.get('name')}.{number}", born=str(born))
        plant(child, generation + 1, born)


def parent_of(root, person):
    for candidate in root.iter("person"):
        for child in candidate:
            if child is person:
                return candidate
    return None


def entry(root, person):
    parent = parent_of(root, person)
    if parent is None:
        return f"{person.get('name')}, with whom it begins"
    return f"{person.get('name')}, born {person.get('born')}, child of {parent.get('name')}, {len(parent) - 1} siblings"


def main():
    root = ET.Element("person", name="1", born="1700")
    plant(root, 0, 1700)
    with open("chronicle.txt", "w") as out:
        for person in root.iter("person"):
            if int(person.get("born")) % 2:
                out.write(entry(root, person) + "\n")


main()
