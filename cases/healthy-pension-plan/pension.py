"""Computes the pension of each employee to the cent."""
import time
from decimal import ROUND_HALF_EVEN, Decimal

CENT = Decimal("0.01")
RATES = [Decimal(n) / 1200 for n in (2, 3, 4)]


def pension(wage, years, rate):
    saved = Decimal(0)
    for month in range(years * 12):
        saved += saved * rate + wage * Decimal("0.093")
        saved = saved.quantize(CENT, ROUND_HALF_EVEN)
    return saved / 240


start, employees, per_second = time.perf_counter(), 0, [0, 0]
total = Decimal(0)
while (now := time.perf_counter() - start) < 2:
    total += pension(Decimal(2500 + employees * 13 % 2000), 30 + employees % 12, RATES[employees % 3])
    per_second[int(now)] += 1
    employees += 1
with open("pensions.txt", "w") as file:
    file.write(f"{total:.2f}\n")
with open("truth", "w") as truth:
    truth.write(f"first_second {per_second[0]}\nlast_second {per_second[1]}\n")
