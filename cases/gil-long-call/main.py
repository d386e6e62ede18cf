"""Three threads answer questions, which takes next to no time; a fourth loads a large catalog again and again. The parser is
one call into C that never gives the interpreter's lock away: whoever waited for a question, or looked something up, gets
the lock back only when the parser has ended."""
import json
import os
import threading
import time

TEXT = json.dumps([{"name": f"item {n}", "price": n * 7 % 1000, "tags": ["new", "red"]} for n in range(60_000)])
over = threading.Event()
took = [0.0] * 3
loads, loading = 0, 0.0


def answer(number):
    """Answers questions for two seconds; each needs a look at a file, for which the lock is given away."""
    start = time.monotonic()
    answers = 0
    while time.monotonic() - start < 2:
        os.stat(__file__)
        time.sleep(0.001)
        sum(n * n for n in range(100))
        answers += 1
    took[number] = (time.monotonic() - start) / answers


def load_catalog():
    return len(json.loads(TEXT))


def reload():
    global loads, loading
    while not over.is_set():
        before = time.monotonic()
        load_catalog()
        loading += time.monotonic() - before
        loads += 1


alone = time.monotonic()
for _ in range(10):
    time.sleep(0.001)
    sum(n * n for n in range(100))
alone = (time.monotonic() - alone) / 10
reloader = threading.Thread(target=reload, name="reload")
reloader.start()
threads = [threading.Thread(target=answer, args=[n], name=f"answer-{n}") for n in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
over.set()
reloader.join()
with open("truth", "w") as truth:
    truth.write(f"ms_per_answer {1000 * max(took):.0f}\nms_per_answer_alone {1000 * alone:.1f}\n"
                f"ms_per_load {1000 * loading / max(loads, 1):.0f}\n")
