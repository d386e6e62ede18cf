"""Stamps incoming letters with the next number of the parish register."""
import fcntl
import pathlib
import time

LETTERS = [f"letter of household {n}" for n in range(400)]


def next_number(register):
    lines = register.read_text().splitlines() if register.exists() else []
    return int(lines[-1].split()[0]) + 1 if lines else 1


def stamp(letter, register):
    before = time.monotonic()
    with open("register.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        waited = time.monotonic() - before
        number = next_number(register)
        with register.open("a") as out:
            out.write(f"{number} {letter}\n")
    return waited


def main():
    start = time.monotonic()
    register = pathlib.Path("register.txt")
    waiting = 0.0
    stamped = 0
    for letter in LETTERS:
        if time.monotonic() - start > 2:
            break
        waiting += stamp(letter, register)
        stamped += 1
        time.sleep(0.002)
    share = waiting / (time.monotonic() - start)
    pathlib.Path("truth").write_text(f"share {share:.3f}\nstamped {stamped}\n")


main()
