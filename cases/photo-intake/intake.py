#!/usr/bin/env python3
"""Takes photographs from an inbox, and notes size, mean brightness and a fingerprint of each."""
import ctypes.util
import hashlib
import json
import struct
import sys
import time
from pathlib import Path

OPTIONAL = {"uhdr": "ultrahdr", "jxs": "SvtJpegxs"}


def have_codec(kind):
    """Whether the library for a kind of picture is installed here."""
    return ctypes.util.find_library(OPTIONAL[kind]) is not None


def decode(path):
    raw = path.read_bytes()
    width, height = struct.unpack("<HH", raw[:4])
    return width, height, raw[4:]


def choose_reader(path):
    kinds = [k for k in OPTIONAL if have_codec(k)]
    if path.suffix[1:] in OPTIONAL and path.suffix[1:] not in kinds:
        raise ValueError(f"{path.name}: no codec")
    return decode


def take_in(path):
    width, height, pixels = choose_reader(path)(path)
    histogram = [0] * 256
    for p in pixels:
        histogram[p] += 1
    mean = sum(i * n for i, n in enumerate(histogram)) / len(pixels)
    return {"name": path.name, "size": [width, height], "mean": round(mean, 2), "id": hashlib.sha256(pixels).hexdigest()[:16]}


def main(inbox):
    until = time.monotonic() + 2.0
    with open("catalogue.jsonl", "w") as out:
        for n, path in enumerate(sorted(Path(inbox).glob("*.gray"))):
            if time.monotonic() > until:
                break
            json.dump(take_in(path), out)
            out.write("\n")
    print(n, "photographs")


main(sys.argv[1])
