"""Makes the transcribed pages of a manuscript, and an empty repository for them."""
import pathlib
import subprocess

subprocess.run(["git", "init", "-q", "."], check=True)
PAGES = 900
folder = pathlib.Path("pages")
folder.mkdir()
for n in range(PAGES):
    (folder / f"folio-{n:04}.txt").write_text(f"folio {n} of {PAGES}\n" + f"line of number {n * 7919}\n" * 30)
