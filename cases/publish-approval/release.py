"""Publishes the packages of a release, one after the other."""
import os
import subprocess
import time

CASE = os.environ["CASE"]


def publish(package):
    with open(f"{package}.pkg", "w") as out:
        out.write(f"{package}\n" * 500)
    subprocess.run(["sh", f"{CASE}/upload.sh", f"{package}.pkg"], check=True)


def main():
    packages, publishing = 0, 0.0
    start = time.perf_counter()
    while time.perf_counter() - start < 2:
        before = time.perf_counter()
        publish(f"library-{packages}")
        publishing += time.perf_counter() - before
        packages += 1
    wall = time.perf_counter() - start
    with open("truth", "w") as truth:
        truth.write(f"publishing {publishing / wall:.3f}\npackages {packages}\nms_each {publishing / packages * 1e3:.0f}\n")


main()
