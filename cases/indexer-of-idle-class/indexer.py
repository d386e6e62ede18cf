"""Indexes the letters of an office when nothing else is to be done."""
import os
import time


def stay_out_of_the_way():
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:2])


def come_back():
    os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))


def index_letter(number):
    words = {}
    for place in range(100):
        word = (number * 7919 + place * place) % 997
        words[word] = words.get(word, 0) + 1
    return len(words)


def waited_for_cpu():
    with open("/proc/self/schedstat") as stat:
        return int(stat.read().split()[1]) / 1e9


def main():
    stay_out_of_the_way()
    start, cpu, waited = time.perf_counter(), time.process_time(), waited_for_cpu()
    letters = words = 0
    while time.perf_counter() - start < 1.5:
        words += index_letter(letters)
        letters += 1
    wall = time.perf_counter() - start
    come_back()
    with open("truth", "w") as truth:
        truth.write(f"had_no_cpu {(waited_for_cpu() - waited) / wall:.3f}\non_cpu {(time.process_time() - cpu) / wall:.3f}\nletters {letters}\n")


main()
