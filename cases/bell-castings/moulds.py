"""Makes the descriptions of the moulds."""
import pathlib

folder = pathlib.Path("moulds")
folder.mkdir(exist_ok=True)
for n in range(6):
    (folder / f"mould-{n}.txt").write_text(f"mould {n}: clay from the river, two hands wide, {n + 3} rings\n" * 20)
