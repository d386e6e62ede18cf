"""Scores one real situation: what was said, and what ten times n cost."""

import json
import sys

half, rows, right, p, why, said, ten = sys.argv[1:]


def table(path):
    text = open(path).read()
    if not text.strip():
        return []
    whole = json.loads(text)
    found = whole.get("rows", whole) if isinstance(whole, dict) else whole
    return [row for row in found if rows in (row.get("operation"), row.get("arm"))]


row = table(said)[0]
word = row["law"].replace(" ", "-").replace("growth-with-a-step", "growth-step")
listed = right.split()
good = word in listed
if word == "growth" and p:
    low, high = row["exponent_low"], row["exponent_high"]
    least, most = (float(x) for x in (p.split("..") * 2)[:2])
    good = good and low <= most and least <= high and high - low <= 1.5
predicted = ""
larger = table(ten)
if row.get("at_ten_times_ns") and larger:
    # A series meets ten times n at its end, a command always.
    true = larger[0]["median_ns"] if rows == "command" else larger[0]["last_tenth_ns"]
    inside = row["at_ten_times_low_ns"] <= true <= row["at_ten_times_high_ns"]
    times = true / row["at_ten_times_ns"]
    predicted = "prediction held" if inside else "prediction failed"
    if not 0.5 <= times <= 2 and "guess" not in row.get("verdict", ""):
        predicted += ", off by more than two and not called a guess"
    predicted += f" ({times:.2f} of what was said)"
worst = ""
if listed[0] == "exponential" and word in ("constant", "steps"):
    worst = ", exponential called level or step"
if listed[0] == "constant" and word in ("growth", "exponential"):
    worst = ", growth claimed on a flat one"
print(
    f"{half} {'right' if good else 'wrong'}{worst}:{predicted.split(' (')[0]}: {word}: {row.get('verdict', '')} "
    f"[{why}] {predicted}"
)
