"""Fits a smooth curve to each line of numbers."""
import sys


def fit(values, rounds=7):
    curve = list(values)
    for _ in range(rounds):
        for i in range(len(curve)):
            near = curve[max(0, i - 3):i + 4]
            weights = [1 / (1 + abs(k - len(near) // 2)) for k in range(len(near))]
            smooth = sum(w * v for w, v in zip(weights, near)) / sum(weights)
            curve[i] += 0.3 * (smooth - curve[i]) + 0.05 * (values[i] - curve[i])
    return curve


for line in sys.stdin:
    print(*(f"{v:.3f}" for v in fit([float(v) for v in line.split()])), flush=True)
