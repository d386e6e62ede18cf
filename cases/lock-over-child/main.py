"""Five threads publish packages. Each package is signed by a small program, and a lock is held while it runs, although
the program could run several times at once."""
import os
import subprocess
import threading
import time

lock = threading.Lock()
waited, signing, signed = [0.0] * 5, 0.0, 0


def sign(package):
    global signing, signed
    with lock:
        before = time.monotonic()
        subprocess.run([os.environ["CASE_BIN"] + "/sign_tool", package], check=True)
        signing += time.monotonic() - before
        signed += 1


def publish(number, until):
    package = 0
    while time.monotonic() < until:
        before = time.monotonic()
        sign(f"package-{number}-{package}")
        waited[number] += time.monotonic() - before
        package += 1


start = time.monotonic()
threads = [threading.Thread(target=publish, args=(n, start + 2), name=f"publisher-{n}") for n in range(5)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
took = time.monotonic() - start
with open("truth", "w") as truth:
    truth.write(f"lock_held_for_children {signing / took:.3f}\n"
                f"threads_in_sign {sum(waited) / took:.2f}\nsigned {signed}\n")
