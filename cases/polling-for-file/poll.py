"""Waits for the result of another program: looks for its file, sleeps, looks again, sleeps longer."""
import os
import time

looks = 0


def wait_for_result(path):
    global looks
    pause = 0.01
    open("asked", "w").close()
    while not os.path.exists(path):
        looks += 1
        time.sleep(pause)
        pause = min(pause * 1.5, 0.4)
    with open(path) as result:
        return result.read()


start = time.monotonic()
wait_for_result("result.csv")
with open("truth", "w") as truth:
    truth.write(f"looks {looks}\nwaited {time.monotonic() - start:.3f}\n")
