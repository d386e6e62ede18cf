"""Prepares the stage of a puppet theatre: every puppet is an add-on in a folder of its own."""
import importlib
import sys
from pathlib import Path

sys.dont_write_bytecode = True


def find_addons():
    return sorted(Path("addons").resolve().iterdir())


def load_puppets(folders):
    for folder in folders:
        sys.path.insert(0, str(folder))
    return [importlib.import_module(folder.name) for folder in folders]


def main():
    puppets = load_puppets(find_addons())
    strings = sum(puppet.STRINGS for puppet in puppets)
    print(len(puppets), "puppets on", strings, "strings")


main()
