"""Readings of meters as JSON lines, packed."""
import gzip
import json
import random

rng = random.Random(2)
with gzip.open("readings.jsonl.gz", "wt", compresslevel=3) as out:
    for n in range(360_000):
        out.write(json.dumps({"meter": f"m{rng.randrange(400):03d}", "hour": n % 24, "unit": "kWh", "value": rng.randrange(900) / 10}) + "\n")
