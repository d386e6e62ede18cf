"""Prints what a deployment would do: reads the plays of all roles and counts their tasks by handler."""
import collections
import time
from pathlib import Path

import yaml


def load_role(path):
    with open(path) as play:
        return yaml.safe_load(play)


def handlers_of(tasks):
    for task in tasks:
        yield from task.get("notify", ())


def plan(folder, seconds):
    started = time.monotonic()
    loading = 0.0
    notified = collections.Counter()
    for path in sorted(folder.glob("role*.yml")):
        before = time.monotonic()
        tasks = load_role(path)
        loading += time.monotonic() - before
        notified.update(handlers_of(tasks))
        if time.monotonic() - started > seconds:
            break
    return notified, loading / (time.monotonic() - started)


def main():
    notified, share = plan(Path("."), 2.0)
    Path("truth").write_text(f"share {share:.2f}\n")
    for name, count in notified.most_common():
        print(f"{count:6d} {name}")


if __name__ == "__main__":
    main()
