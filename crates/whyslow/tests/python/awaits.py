"""Waits in an event loop, and prints what its task awaits meanwhile, the innermost function first, as
`wait function:file:line ...`. That is read from the coroutines themselves (`cr_await`). Runs with every Python from
3.8 on."""
import asyncio
import os
import sys

said = set()


def left(tasks):
    """The first of these that is a task and waits for something."""
    for task in tasks:
        if isinstance(task, asyncio.Task) and getattr(task, "_fut_waiter", None) is not None:
            return task
    return None


def tasks_of(frame):
    """A task that a coroutine waits for: its first local variable, or in that."""
    for name in frame.f_code.co_varnames[:1]:
        value = frame.f_locals.get(name)
        # Not by `__dict__`: to ask for that changes how the object keeps its attributes.
        for held in [[value], value, getattr(value, "_tasks", None)]:
            task = left(held) if isinstance(held, (list, set)) else None
            if task is not None:
                return task
    return None


class IsDone(Exception):
    """A task is done, and who awaits it has not gone on yet: nobody waits."""


def awaited(task):
    """The functions that a task awaits, and those of the task that these await."""
    frames, frame = [], None
    if task.done():
        raise IsDone
    what = task.get_coro()
    while what is not None and hasattr(what, "cr_frame"):
        frame = what.cr_frame
        code = frame.f_code
        name = getattr(code, "co_qualname", code.co_name)
        frames.append("%s:%s:%d" % (name, code.co_filename, frame.f_lineno))
        what = what.cr_await
    waits_for = getattr(task, "_fut_waiter", None)
    if waits_for is not None and not isinstance(waits_for, asyncio.Task):
        waits_for = left(getattr(waits_for, "_children", ())) or (frame and tasks_of(frame))
    return frames + (awaited(waits_for) if isinstance(waits_for, asyncio.Task) else [])


def look(task):
    try:
        frames = awaited(task)
    except IsDone:
        return
    line = "wait " + "\t".join(reversed(frames))
    if frames and line not in said:
        said.add(line)
        print(line)


class Reply:
    """Something that is awaited, and is no coroutine."""

    def __await__(self):
        yield from asyncio.sleep(0.03).__await__()


async def nap():
    await asyncio.sleep(0.03)


async def fetch(depth):
    if depth:
        return await fetch(depth - 1)
    await nap()


async def long_nap():
    await asyncio.sleep(0.08)


async def in_group():
    async with asyncio.TaskGroup() as group:
        group.create_task(nap())
        group.create_task(long_nap())


async def ask():
    await Reply()


async def load(event, lock):
    await fetch(0)
    await fetch(3)
    async with lock:
        await asyncio.create_task(fetch(1))
    await asyncio.gather(nap(), long_nap(), fetch(1))
    await asyncio.wait([asyncio.ensure_future(fetch(2)), asyncio.ensure_future(long_nap())])
    await asyncio.wait_for(fetch(1), 5)
    if hasattr(asyncio, "TaskGroup"):
        await in_group()
    await event.wait()
    await ask()


async def main(rounds):
    task = asyncio.current_task()
    loop = asyncio.get_running_loop()

    def fail(_, context):
        """A look that fails would end all further ones."""
        print(context, file=sys.stderr)
        os._exit(1)

    loop.set_exception_handler(fail)

    def tick():
        look(task)
        loop.call_later(0.01, tick)

    loop.call_soon(tick)
    lock = asyncio.Lock()
    for _ in range(rounds):
        event = asyncio.Event()
        loop.call_later(0.25, event.set)
        await load(event, lock)


asyncio.run(main(int(sys.argv[-1])))


async def stray():
    await asyncio.sleep(0)


def wait_for_no_task():
    """Awaits a future, which is no task and smaller; beside it in memory are others with coroutines in them, which
    nobody awaits."""
    loop = asyncio.new_event_loop()
    strays = [stray() for _ in range(400)]
    futures = [loop.create_future() for _ in strays]
    wanted = futures[200]
    for future, coroutine in zip(futures, strays):
        if future is not wanted:
            future.set_result(coroutine)
    loop.call_later(0.25, wanted.set_result, None)
    loop.run_until_complete(wanted)
    for coroutine in strays:
        coroutine.close()
    loop.close()


wait_for_no_task()
