"""Puts a few scans into the inbox of an office, as its scanner would."""
import os
import time

os.makedirs("inbox", exist_ok=True)
open("ready", "w").close()
time.sleep(0.35)
for i in range(60):
    with open(f"inbox/.scan{i}.part", "w") as out:
        out.write(f"page {i}\n" * 400)
    os.rename(f"inbox/.scan{i}.part", f"inbox/scan{i}.txt")
    time.sleep(0.21)
