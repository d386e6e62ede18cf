"""Counts words on one thread, within limits of 1.5 CPUs and 512 MB, of which it needs one CPU and some tens of MB."""
import time

text = " ".join(f"word{n * 7919 % 4001}" for n in range(20_000))


def count_words(text):
    counts = {}
    for word in text.split():
        counts[word] = counts.get(word, 0) + 1
    return counts


start, texts = time.monotonic(), 0
while time.monotonic() - start < 2:
    count_words(text)
    texts += 1
with open("truth", "w") as truth:
    truth.write(f"texts {texts}\ncpu {time.process_time() / (time.monotonic() - start):.3f}\n")
