"""Finds the add-ons of an editor."""
import os
import sys


def find(folder):
    """The names of all modules of the add-ons; their folders can be imported from."""
    names = []
    for add_on in sorted(os.listdir(folder)):
        path = os.path.join(os.path.abspath(folder), add_on)
        sys.path.insert(0, path)
        names += [module[:-3] for module in sorted(os.listdir(path)) if module.endswith(".py")]
    return names
