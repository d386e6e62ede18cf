"""Writes mails by templates that are members of a zip archive."""
import time
import zipfile

reading = 0.0


def read_template(name):
    with zipfile.ZipFile("theme.zip") as theme:
        return theme.read(name).decode()


def write_mail(number):
    global reading
    before = time.monotonic()
    template = read_template(f"templates/part-{number % 3000:04}.txt")
    reading += time.monotonic() - before
    return template.format(name=f"customer {number}")


start, mails, letters = time.monotonic(), 0, 0
while time.monotonic() - start < 2:
    letters += len(write_mail(mails))
    mails += 1
took = time.monotonic() - start
before = time.monotonic()
with zipfile.ZipFile("theme.zip") as theme:
    for n in range(mails):
        letters -= len(theme.read(f"templates/part-{n % 3000:04}.txt"))
with open("truth", "w") as truth:
    truth.write(f"reading {reading / took:.3f}\nopened_once {(time.monotonic() - before) / took:.4f}\nmails {mails}\n")
