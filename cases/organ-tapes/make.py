"""Makes the recordings of an organ that are to be copied to the archive."""
import pathlib
import random

source = random.Random(7)
folder = pathlib.Path("tapes")
folder.mkdir()
for n in range(4):
    (folder / f"tape-{n}.pcm").write_bytes(source.randbytes(2_000_000))
