"""The tests of a command that plans the locks of a canal. Each test runs the command as its users would."""
import os
import subprocess
import sys
import time
import unittest

COMMAND = os.path.join(os.environ["CASE"], "canal.py")
waited = 0.0


def run_canal(*words):
    global waited
    before = time.monotonic()
    done = subprocess.run([sys.executable, COMMAND, *words], capture_output=True, text=True, check=True)
    waited += time.monotonic() - before
    return done.stdout.strip()


class Gates(unittest.TestCase):
    def check_rise(self, level):
        self.assertEqual(run_canal("gates", str(level), str(level + 3)), "raise 3")

    def check_fall(self, level):
        self.assertEqual(run_canal("gates", str(level + 2), str(level)), "lower 2")

    def check_keep(self, level):
        self.assertEqual(run_canal("gates", str(level), str(level)), "open")


def suite(levels):
    for level in levels:
        for kind in ("rise", "fall", "keep"):
            name = f"test_{kind}_{level}"
            setattr(Gates, name, lambda self, k=kind, n=level: getattr(self, f"check_{k}")(n))
            yield Gates(name)


def main():
    start = time.monotonic()
    result = unittest.TestResult()
    for case in suite(range(1000)):
        if time.monotonic() - start > 2:
            break
        case.run(result)
    wall = time.monotonic() - start
    assert result.wasSuccessful(), result.failures + result.errors
    with open("truth", "w") as f:
        f.write(f"share {waited / wall:.3f}\ntests {result.testsRun}\n")


main()
