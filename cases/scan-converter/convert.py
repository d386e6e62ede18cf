"""Converts the day's scans of a town office for the archive."""
import os
import random
import subprocess
import time

spent = {"asleep": 0.0}


def make_scans(folder, count):
    os.makedirs(folder, exist_ok=True)
    for number in range(count):
        with open(f"{folder}/scan-{number:02}.pgm", "wb") as scan:
            scan.write(b"P5 500 400 255\n" + random.Random(number).randbytes(500 * 400))


def wait_for_converter(converter, patience=30):
    """Waits until the converter has finished, but not for ever: it used to hang."""
    end = time.monotonic() + patience
    while converter.poll() is None:
        if time.monotonic() > end:
            converter.kill()
            raise TimeoutError(f"converter {converter.pid} hangs")
        before = time.monotonic()
        time.sleep(0.25)
        spent["asleep"] += time.monotonic() - before
    return converter.returncode


def convert(scan, target):
    with open(scan, "rb") as source, open(target, "wb") as out:
        converter = subprocess.Popen(["gzip", "-c"], stdin=source, stdout=out)
        return wait_for_converter(converter)


def main():
    make_scans("scans", 9)
    os.makedirs("archive", exist_ok=True)
    start = time.monotonic()
    sizes = {}
    for name in sorted(os.listdir("scans")):
        target = os.path.join("archive", name + ".gz")
        if convert(os.path.join("scans", name), target) == 0:
            sizes[name] = os.path.getsize(target)
    wall = time.monotonic() - start
    print(len(sizes), "scans,", sum(sizes.values()), "bytes")
    with open("truth", "w") as truth:
        truth.write(f"share_of_main {spent['asleep'] / wall:.3f}\nseconds {wall:.3f}\nscans {len(sizes)}\n")


main()
