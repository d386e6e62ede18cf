"""Makes its interpreter do what no function of the program does: threads that wait for the lock, garbage
collection, and a second interpreter. Runs with every Python from 3.8 on.
"""

import gc
import resource
import sys
import threading
import time

IN_SECOND = """
import time
def inner():
    for _ in range(20):
        time.sleep(0.01)
inner()
"""


class Node:
    pass


def rings(count):
    made = []
    for _ in range(count):
        one, other = Node(), Node()
        one.other, other.other = other, one
        made.append(one)
    return made


def tidy():
    kept = rings(20000)
    end = time.perf_counter() + 0.5
    while time.perf_counter() < end:
        gc.collect()
    return kept


def switches():
    return resource.getrusage(resource.RUSAGE_SELF).ru_nvcsw


def compute(until):
    total = 0
    while switches() < until:
        for number in range(20000):
            total += number * number
    return total


def contend():
    until = switches() + 200
    threads = [threading.Thread(target=compute, args=(until,)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def outer():
    if sys.version_info >= (3, 14):
        from concurrent import interpreters

        second = interpreters.create()
        second.exec(IN_SECOND)
        second.close()
    else:
        if sys.version_info >= (3, 13):
            import _interpreters as interpreters
        else:
            import _xxsubinterpreters as interpreters
        second = interpreters.create()
        interpreters.run_string(second, IN_SECOND)
        interpreters.destroy(second)


# The recorder has to know of the process; what comes before is of no test.
rounds = int(sys.argv[1])
time.sleep(rounds * 0.5)
for _ in range(rounds):
    contend()
    tidy()
    outer()
