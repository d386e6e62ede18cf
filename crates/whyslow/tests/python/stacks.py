"""Calls itself in every way that Python knows, and says each time where it is.

`pause` waits and `spin` computes; each prints its own stack before, the innermost frame first, as
`KIND function:file:line ...`. Runs with every Python from 3.8 on.
"""

import functools
import json
import re
import sys
import threading
import time


def said(kind):
    frames = []
    frame = sys._getframe(1)
    while frame is not None:
        code = frame.f_code
        name = getattr(code, "co_qualname", code.co_name)
        frames.append("%s:%s:%d" % (name, code.co_filename, frame.f_lineno))
        frame = frame.f_back
    # One call: threads would mix what they print.
    sys.stdout.write(kind + " " + "\t".join(frames) + "\n")


def pause():
    said("wait"); time.sleep(0.003)


def spin():
    said("cpu"); total = 0
    end = time.perf_counter() + 0.02
    while time.perf_counter() < end:
        for number in range(200):
            total += number * number
    return total


def both(*_):
    pause()
    spin()
    return 0


def deep(depth):
    if depth == 0:
        return both()
    return deep(depth - 1)


def deep_pause(depth):
    if depth == 0:
        return pause()
    return deep_pause(depth - 1)


def rows():
    for number in range(2):
        both()
        yield number


def outer_rows():
    yield from rows()


class Thing:
    def method(self):
        both()

    @classmethod
    def of_class(cls):
        both()

    @staticmethod
    def of_nobody():
        both()

    @property
    def value(self):
        return both()

    def __enter__(self):
        both()
        return self

    def __exit__(self, *_):
        both()

    def __getattr__(self, name):
        return both()

    def __lt__(self, other):
        return bool(both())

    def __init__(self):
        both()


def decorated(function):
    @functools.wraps(function)
    def wrapper(*arguments):
        return function(*arguments)

    return wrapper


@decorated
@decorated
def wrapped():
    both()


def raises():
    try:
        raise ValueError
    except ValueError:
        both()
    finally:
        both()


async def inner_task():
    both()


async def task():
    await inner_task()
    both()


def drive(coroutine):
    try:
        coroutine.send(None)
    except StopIteration:
        pass


def through_c():
    sorted([1, 2], key=both)
    list(map(both, [1]))
    functools.reduce(both, [1, 2])
    max([1, 2], key=lambda item: both())
    re.sub("a", lambda match: str(both()), "ba")
    json.loads('{"a": {"b": 1}}', object_hook=both)
    json.dumps({1: object()}, default=both)
    sorted([Thing.__new__(Thing), Thing.__new__(Thing)])


def in_thread():
    def of_thread():
        both()
        drive(task())

    threads = [threading.Thread(target=of_thread) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def grösse_für_ß():
    exec("def made():\n\n    both()\nmade()", {"both": both})
    eval("both()")


def main():
    both()
    deep(3)
    deep(100)
    deep_pause(940)
    list(rows())
    [number for number in outer_rows()]
    list(item for item in [both()])
    thing = Thing()
    thing.method()
    Thing.of_class()
    Thing.of_nobody()
    thing.value
    thing.missing
    with thing:
        both()
    wrapped()
    raises()
    drive(task())
    through_c()
    in_thread()
    grösse_für_ß()
    (lambda: both())()


for _ in range(int(sys.argv[1])):
    main()
