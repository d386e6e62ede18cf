"""Which lift had which faults, by hour."""
import collections
import re
import time

LINE = re.compile(r"(\d\d):\d\d:\d\d (lift-\d+) (?:FAULT (E\d+) door \d|at floor (\d+))\n")


def read_log(name):
    faults = collections.Counter()
    visits = collections.Counter()
    times = [time.perf_counter()]
    with open(name) as log:
        for number, line in enumerate(log, 1):
            hour, lift, fault, floor = LINE.fullmatch(line).groups()
            if fault:
                faults[hour, lift, fault] += 1
            else:
                visits[lift, floor] += 1
            if number % 140_000 == 0:
                times.append(time.perf_counter())
    return faults, visits, [after - before for before, after in zip(times, times[1:])]


def main():
    faults, visits, tenths = read_log("lifts.log")
    with open("faults.txt", "w") as report:
        for (hour, lift, fault), count in sorted(faults.items()):
            report.write(f"{hour} {lift} {fault} {count}\n")
        for (lift, floor), count in visits.most_common(20):
            report.write(f"{lift} was at floor {floor} {count} times\n")
    with open("truth", "w") as truth:
        truth.write(f"growth {tenths[-1] / tenths[0]:.2f}\nfaults {sum(faults.values())}\n")


main()
