"""Looks up words in a mapped lexicon of 96 MB, inside a container that may have 40 MB."""
import mmap
import resource
import time

PAGE = 4096


def look_up(lexicon, word):
    return lexicon[word * 7919 * PAGE % len(lexicon)]


def check_text(lexicon, until):
    """A text that uses all words of the lexicon, once each. Gives the number of words until its time is over."""
    words = 0
    for word in range(len(lexicon) // PAGE):
        look_up(lexicon, word)
        words += 1
        if word % 64 == 0 and time.monotonic() > until:
            break
    return words


with open("lexicon.dat", "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as lexicon:
    start, words = time.monotonic(), 0
    while time.monotonic() - start < 2:
        words += check_text(lexicon, start + 2)
    usage = resource.getrusage(resource.RUSAGE_SELF)
    with open("truth", "w") as truth, open("/proc/self/io") as io:
        truth.write(f"took {time.monotonic() - start:.2f}\nwords {words}\nmajor_faults {usage.ru_majflt}\n"
                    f"cpu {usage.ru_utime + usage.ru_stime:.2f}\n" + io.read())
