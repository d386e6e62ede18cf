#!/usr/bin/env python3
"""Makes the thumbnails of an address book's pictures, each by a program that must not run longer than ten seconds."""
import os
import subprocess
import sys
import time

SHRINK = os.path.join(os.environ["CASE_BIN"], "shrink")


class Thumbnails:
    def __init__(self, folder):
        self.folder = folder
        self.failed = []
        os.makedirs(folder, exist_ok=True)

    def shrink(self, contact):
        with open(os.path.join(self.folder, f"{contact}.thumb"), "w") as out:
            try:
                subprocess.run([SHRINK, str(contact)], stdout=out, timeout=10, check=True)
            except (subprocess.TimeoutExpired, subprocess.CalledProcessError):
                self.failed.append(contact)


def main():
    thumbs = Thumbnails("thumbs")
    until = time.monotonic() + 2.0
    contact = 0
    while time.monotonic() < until:
        thumbs.shrink(contact)
        contact += 1
    print(contact, "thumbnails,", len(thumbs.failed), "failed")


main()
