"""Puts together the folders of the orchestra's players: the parts come out of the archive of scores."""
import tarfile
import time

VOICES = ["violin", "viola", "cello", "bass", "flute", "oboe", "horn", "timpani"]


def part(piece, voice):
    with tarfile.open("scores.tar.gz") as archive:
        return archive.extractfile(f"piece{piece:02}/{voice}.ly").read().decode()


def bars(text):
    return text.count("|")


def folder(voice, programme):
    return {piece: bars(part(piece, voice)) for piece in programme}


def main():
    start = time.perf_counter()
    folders = []
    while time.perf_counter() - start < 2.0:
        number = len(folders)
        folders.append(folder(VOICES[number % len(VOICES)], [number % 15, (number + 4) % 15]))
    print(len(folders), "folders,", sum(sum(entry.values()) for entry in folders), "bars")


main()
