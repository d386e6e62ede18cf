"""Renders the slides of a lecture. A setting keeps the desktop usable meanwhile."""
import multiprocessing
import os
import time


def stay_polite():
    first = min(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {first})


def shade(line):
    value = 17
    for column in range(4000):
        value = (value * 1103515245 + column * line + 12345) & 0x7FFFFFFF
    return value


def waited_for_cpu():
    with open("/proc/self/schedstat") as stat:
        return int(stat.read().split()[1]) / 1e9


def render_slides(until):
    slides = 0
    start = time.perf_counter()
    before = waited_for_cpu()
    while time.perf_counter() < until:
        for line in range(20):
            shade(line)
        slides += 1
    return slides, (waited_for_cpu() - before) / (time.perf_counter() - start)


def main():
    stay_polite()
    start = time.perf_counter()
    with multiprocessing.Pool(4) as pool:
        results = pool.map(render_slides, [start + 2] * 4, chunksize=1)
    waited = sum(share for _, share in results) / len(results)
    with open("truth", "w") as truth:
        truth.write(f"workers_waited {waited:.3f}\nslides {sum(slides for slides, _ in results)}\n")


if __name__ == "__main__":
    main()
