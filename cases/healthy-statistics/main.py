"""The mean, spread and trend of each shop's sales."""
import collections
import csv
import math
import statistics


def read_sales(path):
    shops = collections.defaultdict(list)
    with open(path, newline="") as table:
        for number, shop, price in csv.reader(table):
            shops[shop].append((int(number), float(price)))
    return shops


def describe(sales):
    days, prices = zip(*sales)
    spread = math.sqrt(statistics.pvariance(prices))
    slope = statistics.linear_regression(days, prices).slope
    return statistics.fmean(prices), spread, slope


report = {shop: describe(sales) for shop, sales in read_sales("sales.csv").items()}
with open("truth", "w") as truth:
    truth.write(f"shops {len(report)}\n")
