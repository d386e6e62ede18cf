"""Writes inventory.json: the hosts of a computing centre with their interfaces and labels."""
import json
import random

rng = random.Random(7)
hosts = []
for n in range(5200):
    hosts.append({
        "name": f"node{n:04d}",
        "rack": f"r{n % 60:02d}",
        "labels": {k: rng.choice(["a", "b", "c", "d"]) for k in ("stage", "owner", "tier", "zone")},
        "interfaces": [
            {"if": f"eth{i}", "mac": "%012x" % rng.getrandbits(48), "ip": f"10.{i}.{n // 250}.{n % 250}", "mtu": 1500}
            for i in range(4)
        ],
    })
with open("inventory.json", "w") as out:
    json.dump({"version": 3, "hosts": hosts}, out, indent=1)
