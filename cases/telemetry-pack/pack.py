"""Packs the frames of a satellite's telemetry. Each frame becomes an archive of its own, so that a damaged one never
takes others with it, at the highest level, because the way to the ground is slow."""
import json
import lzma
import math
import os
import time


def frame(number):
    return json.dumps({
        "number": number,
        "attitude": [round(math.sin(number / 50 + k), 5) for k in range(4)],
        "temperatures": [round(20 + 3 * math.cos(number / 90 + k), 2) for k in range(24)],
        "mode": "nominal",
    }).encode()


def pack(data):
    return lzma.compress(data, preset=9 | lzma.PRESET_EXTREME)


def write_downlink(out, number, packed):
    out.write(number.to_bytes(4, "big") + len(packed).to_bytes(4, "big") + packed)


def main():
    start = time.monotonic()
    packing = 0.0
    number = size = 0
    with open("downlink.bin", "wb") as out:
        while time.monotonic() - start < 2:
            data = frame(number)
            before = time.monotonic()
            packed = pack(data)
            packing += time.monotonic() - before
            write_downlink(out, number, packed)
            size += len(data)
            number += 1
    print(f"{number} frames, {size} bytes, packed to {os.path.getsize('downlink.bin')}, {packing:.2f} s of it in pack")


main()
