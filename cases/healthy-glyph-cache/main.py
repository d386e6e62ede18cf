"""Sets the pages of a book: glyphs are drawn once, kept in a cache with room for all of them, and put into lines."""
import functools
import time


@functools.lru_cache(maxsize=512)
def glyph(letter, size):
    code = ord(letter)
    return tuple((code * (x + 1) * 31 ^ y * 17) & 255 for y in range(size) for x in range(size // 2))


@functools.lru_cache(maxsize=512)
def width(letter, size):
    return size // 2 - (sum(glyph(letter, size)) % 3)


def words(number):
    state = number + 1
    for _ in range(400):
        state = state * 1103515245 + 12345 & 0x7FFFFFFF
        yield "".join(chr(97 + (state >> k) % 26) for k in range(0, 3 + state % 8))


def set_page(number, size=12, measure=400):
    lines, line, used = [], [], 0
    for word in words(number):
        wide = sum(width(letter, size) for letter in word)
        if used + wide > measure:
            lines.append(line)
            line, used = [], 0
        line.append(word)
        used += wide + size // 3
    lines.append(line)
    return lines


def main():
    start = time.monotonic()
    pages = lines = 0
    while time.monotonic() - start < 2:
        lines += len(set_page(pages))
        pages += 1
    cached = glyph.cache_info()
    print(pages, "pages,", lines, "lines,", cached.hits, "hits,", cached.misses, "misses")


main()
