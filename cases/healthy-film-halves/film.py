"""Decodes a film in one process, and sharpens its pictures in another."""
import multiprocessing
import os
import time

AT_ONCE, SIZE = 40, 5000


def decode_picture(number):
    value, picture = number * 2654435761 % 4294967296, bytearray(SIZE)
    for place in range(SIZE):
        value = (value * 1103515245 + 12345) & 0x7FFFFFFF
        picture[place] = value >> 16 & 0xFF
    return bytes(picture)


def sharpen(picture):
    result = bytearray(picture)
    for place in range(1, len(picture) - 1):
        edge = 3 * picture[place] - picture[place - 1] - picture[place + 1]
        result[place] = 0 if edge < 0 else 255 if edge > 255 else edge
    return result


def cpu_share(start, cpu):
    used = os.times()
    return (used.user + used.system - cpu) / (time.perf_counter() - start)


def sharpen_film(pictures, results):
    start, cpu, sharpened, brightness = time.perf_counter(), sum(os.times()[:2]), 0, 0
    while some := pictures.recv():
        for picture in some:
            brightness += sharpen(picture)[SIZE // 2]
            sharpened += 1
    results.send((sharpened, brightness, cpu_share(start, cpu)))


def main():
    pictures, sender = multiprocessing.Pipe(duplex=False)
    results, answer = multiprocessing.Pipe(duplex=False)
    second = multiprocessing.Process(target=sharpen_film, args=(pictures, answer))
    second.start()
    start, cpu, decoded = time.perf_counter(), sum(os.times()[:2]), 0
    while time.perf_counter() - start < 2:
        sender.send([decode_picture(number) for number in range(decoded, decoded + AT_ONCE)])
        decoded += AT_ONCE
    sender.send([])
    share = cpu_share(start, cpu)
    sharpened, brightness, other = results.recv()
    second.join()
    with open("truth", "w") as truth:
        truth.write(f"decoder_cpu {share:.3f}\nsharpener_cpu {other:.3f}\npictures {sharpened}\nbrightness {brightness}\n")


if __name__ == "__main__":
    main()
