"""Packs the scans of a museum into one compressed archive, in the order in which they were made."""
import io
import random
import tarfile

random.seed(4)
words = [b"amphora", b"bronze", b"coin", b"fibula", b"shard", b"relief", b"statue", b"vase", b"Trier", b"Ostia"]
with tarfile.open("scans.tar.gz", "w:gz", compresslevel=1) as archive:
    for n in range(100):
        text = b" ".join(random.choices(words, k=20000))
        member = tarfile.TarInfo(f"scan-{n:03}.txt")
        member.size = len(text)
        archive.addfile(member, io.BytesIO(text))
