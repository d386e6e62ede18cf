"""Finds the nearest clinics for people who call: each call is a query to the register of clinics."""
import time

import geography
import register

asking = 0.0


def nearest(clinics, call):
    global asking
    before = time.monotonic()
    found = clinics.nearest(*geography.place_of(call), limit=3)
    asking += time.monotonic() - before
    return found


def main():
    clinics = register.Register("clinics.db")
    clinics.fill(6000)
    start, calls = time.monotonic(), 0
    with open("answers.txt", "w") as answers:
        while time.monotonic() - start < 2:
            answers.write(f"call {calls}: " + ", ".join(name for name, _ in nearest(clinics, calls)) + "\n")
            calls += 1
    with open("truth", "w") as truth:
        truth.write(f"asking {asking / (time.monotonic() - start):.3f}\ncalls {calls}\n"
                    f"distances_per_call {geography.measured / calls:.0f}\n")


main()
