"""Writes the tariff table of each of 150 postal zones."""
import json
import os

os.mkdir("tariffs")
for zone in range(150):
    table = {"zone": zone, "steps": [{"grams": g * 50, "cents": 320 + g * 7 + zone, "insured": g % 3 == 0} for g in range(250)]}
    with open(f"tariffs/zone-{zone:03}.json", "w") as f:
        json.dump(table, f)
