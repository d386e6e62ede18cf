"""Follows the prices of hops: the quotes come from the exchange's own program, and the means go into a table."""
import os
import statistics
import subprocess
import sys


def add_line(days, line):
    day, sort, price = line.split()
    days.setdefault(int(day), {}).setdefault(sort, []).append(float(price))


def close_day(table, day, sorts):
    for sort, prices in sorted(sorts.items()):
        table.append("%d %s %.3f %.2f" % (day, sort, sum(prices) / len(prices), statistics.median(prices)))


def follow(stream):
    days, table = {}, []
    for line in stream:
        add_line(days, line)
        if len(days) > 1:
            first = min(days)
            close_day(table, first, days.pop(first))
    return table


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    quotes = subprocess.Popen(["perl", os.path.join(here, "quotes.pl"), sys.argv[1]],
                              stdout=subprocess.PIPE, text=True, bufsize=1 << 16)
    table = follow(quotes.stdout)
    quotes.wait()
    with open("hops.txt", "w") as out:
        out.write("\n".join(table))
    print(len(table), "rows")


main()
