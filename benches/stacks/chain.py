# The chains of chain.c in Python: C functions that call back into Python, JSON, regular expressions, a lock that two
# threads share, and the lock of the interpreter itself.
import json, re, sys, threading, time

lock = threading.Lock()


def compute(seed):
    numbers = sorted(range(700), key=lambda i: (i * 7919 + seed) % 701)
    text = json.dumps([{"a": i, "b": [i, str(i)]} for i in numbers[:200]])
    return len(re.sub("[0-9]+", lambda found: str(len(found.group())), text))


def wait_a_little(n):
    if n % 2:
        with lock:
            time.sleep(0.0007)
    else:
        time.sleep(0.0007)


def bottom_0():
    compute(0)
    wait_a_little(0)


def bottom_1():
    compute(1)
    wait_a_little(1)


def bottom_2():
    compute(2)
    wait_a_little(2)


def bottom_3():
    compute(3)
    wait_a_little(3)


def bottom_4():
    compute(4)
    wait_a_little(4)


def bottom_5():
    compute(5)
    wait_a_little(5)


def bottom_6():
    compute(6)
    wait_a_little(6)


def bottom_7():
    compute(7)
    wait_a_little(7)


bottoms = [bottom_0, bottom_1, bottom_2, bottom_3, bottom_4, bottom_5, bottom_6, bottom_7]


def left_7(n):
    bottoms[n]()


def right_7(n):
    bottoms[n]()


def left_6(n):
    if n >> (7 % 3) & 1:
        right_7(n)
    else:
        left_7(n)


def right_6(n):
    if n >> (7 % 3) & 1:
        right_7(n)
    else:
        left_7(n)


def left_5(n):
    if n >> (6 % 3) & 1:
        right_6(n)
    else:
        left_6(n)


def right_5(n):
    if n >> (6 % 3) & 1:
        right_6(n)
    else:
        left_6(n)


def left_4(n):
    if n >> (5 % 3) & 1:
        right_5(n)
    else:
        left_5(n)


def right_4(n):
    if n >> (5 % 3) & 1:
        right_5(n)
    else:
        left_5(n)


def left_3(n):
    if n >> (4 % 3) & 1:
        right_4(n)
    else:
        left_4(n)


def right_3(n):
    if n >> (4 % 3) & 1:
        right_4(n)
    else:
        left_4(n)


def left_2(n):
    if n >> (3 % 3) & 1:
        right_3(n)
    else:
        left_3(n)


def right_2(n):
    if n >> (3 % 3) & 1:
        right_3(n)
    else:
        left_3(n)


def left_1(n):
    if n >> (2 % 3) & 1:
        right_2(n)
    else:
        left_2(n)


def right_1(n):
    if n >> (2 % 3) & 1:
        right_2(n)
    else:
        left_2(n)


def left_0(n):
    if n >> (1 % 3) & 1:
        right_1(n)
    else:
        left_1(n)


def right_0(n):
    if n >> (1 % 3) & 1:
        right_1(n)
    else:
        left_1(n)


def work():
    n = 0
    while time.monotonic() < until:
        if n & 1:
            right_0(n % 8)
        else:
            left_0(n % 8)
        n += 1


until = time.monotonic() + float(sys.argv[1] if len(sys.argv) > 1 else 1)
thread = threading.Thread(target=work)
thread.start()
work()
thread.join()
