"""Shows the descriptions in a museum's archive, the newest first."""
import tarfile
import time

reading = 0.0


def read_scan(archive, member):
    global reading
    before = time.perf_counter()
    text = archive.extractfile(member).read()
    reading += time.perf_counter() - before
    return text


def describe(name, text):
    words = text.split()
    return f"{name}: {len(words)} words, {words.count(b'coin')} coins"


def newest_first(archive):
    return sorted(archive.getmembers(), key=lambda member: member.name, reverse=True)


start = time.perf_counter()
pages = 0
with tarfile.open("scans.tar.gz") as archive, open("pages.txt", "w") as out:
    members = newest_first(archive)
    while time.perf_counter() - start < 2.0:
        member = members[pages % len(members)]
        print(describe(member.name, read_scan(archive, member)), file=out)
        pages += 1
wall = time.perf_counter() - start
with open("truth", "w") as f:
    f.write(f"reading {reading / wall:.3f}\npages {pages}\n")
