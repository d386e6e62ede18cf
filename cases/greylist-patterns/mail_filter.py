"""Marks mails whose subject matches a pattern of a list that somebody keeps."""
import re
import time

PATTERNS = [rf"\b(offer|bonus|prize)[ -]+(no\.?|code) ?{number:04}[a-f]{{1,3}}$" for number in range(700)]


def is_listed(subject):
    for pattern in PATTERNS:
        if re.search(pattern, subject):
            return True
    return False


def subject_of(number):
    return f"Minutes of meeting {number} and the bonus code {number % 9000 + 1000}xyz"


def main():
    mails = listed = 0
    start = time.perf_counter()
    while time.perf_counter() - start < 2:
        listed += is_listed(subject_of(mails))
        mails += 1
    per_mail = (time.perf_counter() - start) / mails
    compiled = [re.compile(pattern) for pattern in PATTERNS]
    before = time.perf_counter()
    for number in range(20):
        any(pattern.search(subject_of(number)) for pattern in compiled)
    matching = (time.perf_counter() - before) / 20
    with open("truth", "w") as truth:
        truth.write(f"compiling {1 - matching / per_mail:.3f}\nmails {mails}\nlisted {listed}\n")


main()
