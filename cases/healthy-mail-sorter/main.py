"""Sorts mails by a naive Bayes filter, which learns from what was sorted before."""
import math
import random
import time
from collections import Counter

FOLDERS = ("work", "family", "shopping", "junk")


def make_words():
    dice = random.Random(8)
    letters = "abcdefghijklmnoprstuvw"
    return ["".join(dice.choice(letters) for _ in range(dice.randint(3, 9))) for _ in range(4000)]


class Filter:
    def __init__(self):
        self.words = {folder: Counter() for folder in FOLDERS}
        self.totals = Counter()
        self.mails = Counter()

    def learn(self, folder, words):
        self.words[folder].update(words)
        self.totals[folder] += len(words)
        self.mails[folder] += 1

    def score(self, folder, words):
        seen, total = self.words[folder], self.totals[folder] + 4000
        sum_of_logs = math.log((self.mails[folder] + 1) / (sum(self.mails.values()) + len(FOLDERS)))
        for word in words:
            sum_of_logs += math.log((seen[word] + 1) / total)
        return sum_of_logs

    def classify(self, words):
        return max(FOLDERS, key=lambda folder: self.score(folder, words))


def make_mail(dice, words):
    """A mail with its true folder, which prefers a part of all words."""
    kind = dice.randrange(len(FOLDERS))
    some = words[kind * 1000:kind * 1000 + 1400]
    return FOLDERS[kind], " ".join(dice.choice(some) for _ in range(120))


def main():
    words, dice, sorter = make_words(), random.Random(3), Filter()
    start = time.monotonic()
    right = mails = 0
    scoring = 0.0
    while time.monotonic() - start < 2:
        folder, text = make_mail(dice, words)
        split = text.split()
        before = time.monotonic()
        right += sorter.classify(split) == folder
        scoring += time.monotonic() - before
        sorter.learn(folder, split)
        mails += 1
    wall = time.monotonic() - start
    with open("truth", "w") as truth:
        truth.write(f"scoring {scoring / wall:.3f}\nmails {mails}\nright {right / mails:.3f}\n")


main()
