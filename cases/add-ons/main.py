"""An editor that loads its add-ons, and applies each to a text."""
import importlib
import os
import sys
import time

import shelf


def load(names):
    return [importlib.import_module(name) for name in names]


def main():
    start = time.monotonic()
    names = shelf.find("add-ons")
    before = time.monotonic()
    tools = load(names)
    loading = time.monotonic() - before
    text = "Page 1 of 560"
    for tool in tools:
        text = tool.apply(text)[:200]
    with open("text.txt", "w") as out:
        out.write(text)
    with open("truth", "w") as truth:
        truth.write(f"loading {loading / (time.monotonic() - start):.3f}\ntools {len(tools)}\nfolders {len(sys.path)}\n")


sys.dont_write_bytecode = True
main()
