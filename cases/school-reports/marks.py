"""The marks of pupils."""
import decimal
import statistics

SUBJECTS = ("reading", "writing", "sums", "music", "sports")


def marks_of(number, pupil, subject):
    return [1 + (number * 31 + pupil * 7919 + len(subject) * n) % 6 for n in range(8)]


def line(school, number, pupil):
    means = []
    for subject in SUBJECTS:
        mean = statistics.mean(decimal.Decimal(mark) for mark in marks_of(number, pupil, subject))
        means.append(f"{subject} {mean:.1f}")
    return f"{school}, class {number}, pupil {pupil}: " + ", ".join(means)
