"""Takes an upload block by block, and notes its checksum after each, to be able to resume it."""
import hashlib
import os
import time


class Upload:
    def __init__(self):
        self.content = bytearray()
        self.progress = []
        self.times = []

    def checksum(self):
        return hashlib.sha256(self.content).hexdigest()

    def accept_block(self, block):
        self.content += block
        before = time.perf_counter()
        self.progress.append((len(self.content), self.checksum()))
        self.times.append(time.perf_counter() - before)


def main():
    upload = Upload()
    block = os.urandom(48 * 1024)
    start = time.perf_counter()
    while time.perf_counter() - start < 2:
        upload.accept_block(block)
    wall = time.perf_counter() - start
    with open("upload.bin", "wb") as out:
        out.write(upload.content)
    tenth = max(1, len(upload.times) // 10)
    first, last = sum(upload.times[:tenth]) / tenth, sum(upload.times[-tenth:]) / tenth
    with open("truth", "w") as truth:
        truth.write(f"checksums {sum(upload.times) / wall:.3f}\nblocks {len(upload.times)}\ngrowth {last / first:.1f}\n")


main()
