"""Lays out the add-ons of the theatre: one folder for each puppet, with its module."""
from pathlib import Path

for number in range(640):
    folder = Path("addons") / f"puppet_{number:03}"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"puppet_{number:03}.py").write_text(f"NAME = 'puppet {number}'\nSTRINGS = {number % 9 + 3}\n")
