"""What the cobblers' shop exports each evening: customers and orders."""
import json
import random

random.seed(11)
customers = [{"id": f"c{n:05}", "name": f"Customer {n}", "town": random.choice(["Ulm", "Lahr", "Gera"])} for n in range(1150)]
orders = [{"order": n, "customer": random.choice(customers)["id"], "soles": random.randint(1, 4)} for n in range(1150)]
with open("export.json", "w") as f:
    json.dump({"customers": customers, "orders": orders}, f)
