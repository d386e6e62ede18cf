# Loads its plug-ins again and again, as a server does that looks for new versions.
import os
import time

opening = 0.0


def load_plugin(path):
    global opening
    start = time.perf_counter()
    with open(path) as file:
        opening += time.perf_counter() - start
        return len(file.read())


def load_plugins(names):
    return sum(load_plugin(f"plugins/{name}") for name in names)


names = [f"plugin_{number}.py" for number in range(100)]
for name in names:
    with open(f"plugins/{name}", "w") as file:
        file.write(f"def run():\n    return '{name}'\n" * 40)
opening = 0.0
start = time.perf_counter()
while time.perf_counter() - start < 2:
    load_plugins(names)
with open("truth", "w") as file:
    file.write(f"share {opening / (time.perf_counter() - start):.3f}\n")
