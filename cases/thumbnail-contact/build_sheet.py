"""Makes a contact sheet: the pictures are scaled by a pool of processes."""
import hashlib
import multiprocessing
import os
import resource
import time


def decode(name):
    seed = hashlib.sha256(name.encode()).digest()
    if name.endswith("panorama"):
        return bytearray(2_000_000_000)          # a very large picture
    return bytearray(seed * 8000)


def scale(name):
    try:
        pixels = decode(name)
    except MemoryError:
        os._exit(70)                              # a corrupt picture must not harm the others
    return name, sum(pixels[::40]) % 256


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (800 << 20, 800 << 20))


def main():
    names = [f"picture-{n}" for n in range(60)]
    names.insert(31, "street-panorama")
    with multiprocessing.Pool(2, initializer=limit_memory) as pool:
        pending = [(name, pool.apply_async(scale, (name,))) for name in names]
        sheet = []
        for name, result in pending:
            try:
                sheet.append(result.get(timeout=1.8))
            except multiprocessing.TimeoutError:
                print("left out:", name)
    print(len(sheet), "pictures on the sheet")


if __name__ == "__main__":
    main()
