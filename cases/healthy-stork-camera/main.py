"""Shows the pictures of a camera above a stork's nest. The camera's program is a child that sends twelve per second."""
import subprocess
import sys
import time

CAMERA = """
import sys, time
start = time.monotonic()
for picture in range(int(sys.argv[1])):
    time.sleep(max(0, start + picture / 12 - time.monotonic()))
    sys.stdout.buffer.write(bytes([picture % 256]) * 40_000)
    sys.stdout.buffer.flush()
"""


def show(picture):
    return picture.count(picture[0])


def watch_nest(pictures):
    shown = 0
    with subprocess.Popen([sys.executable, "-c", CAMERA, str(pictures)], stdout=subprocess.PIPE) as camera:
        while picture := camera.stdout.read(40_000):
            shown += show(picture) == 40_000
    return shown


def main():
    start = time.monotonic()
    shown = watch_nest(25)
    with open("truth", "w") as truth:
        truth.write(f"shown {shown}\nper_second {shown / (time.monotonic() - start):.2f}\n")


main()
