import json, random
rng = random.Random(11)
with open("scan.json", "w") as out:
    for i in range(2000):
        host = rng.randrange(1900)
        json.dump({"host": f"node{host:04d}.cluster", "ip": f"10.1.{host // 250}.{host % 250}", "port": rng.choice([22, 80, 443, 9100]), "seen": 1790000000 + i}, out)
        out.write("\n")
