"""Reads subtitles from a decoder, which is a child, and counts the letters of each."""
import subprocess
import sys
import time

DECODER = """
import sys
text = "".join(f"{n}: A line of dialogue, said by person {n % 9}\\n" for n in range(12000))
sys.stdout.write(text)
"""


def read_subtitle(pipe):
    line = b""
    while True:
        letter = pipe.read(1)
        if letter in (b"", b"\n"):
            return line
        line += letter


def read_film():
    letters = 0
    with subprocess.Popen([sys.executable, "-S", "-E", "-c", DECODER], stdout=subprocess.PIPE, bufsize=0) as decoder:
        while line := read_subtitle(decoder.stdout):
            letters += len(line)
    return letters


def main():
    start, films, letters = time.monotonic(), 0, 0
    while time.monotonic() - start < 2:
        letters += read_film()
        films += 1
    took = time.monotonic() - start
    with open("truth", "w") as truth:
        truth.write(f"films {films}\nletters {letters}\nns_per_letter {took / letters * 1e9:.0f}\n")


main()
