"""Packs the orchestra's parts into scores.tar.gz."""
import io
import random
import tarfile

random.seed(4)
NOTES = ["c'4", "d'4", "e'8", "f'8", "g'2", "a'4", "b'8", "r4", "\\f", "\\p", "|", "fis'4", "ees'8"]
with tarfile.open("scores.tar.gz", "w:gz") as archive:
    for piece in range(15):
        for voice in ["violin", "viola", "cello", "bass", "flute", "oboe", "horn", "timpani"]:
            text = " ".join(random.choices(NOTES, k=9000)).encode()
            entry = tarfile.TarInfo(f"piece{piece:02}/{voice}.ly")
            entry.size = len(text)
            archive.addfile(entry, io.BytesIO(text))
