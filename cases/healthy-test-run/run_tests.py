"""Runs test programs, as many at a time as there are CPUs."""
import concurrent.futures
import subprocess
import sys


def run_test(number):
    return subprocess.run([sys.argv[1], str(number)], check=True).returncode


with concurrent.futures.ThreadPoolExecutor(2) as pool:
    results = list(pool.map(run_test, range(40)))
with open("truth", "w") as truth:
    truth.write(f"passed {results.count(0)}\n")
