"""Lists the subjects of the mails in an archive of a club, with their senders."""
import base64
import collections
import email
import random
import time

SECONDS = 2.0


def write_archive(path, mails):
    dice = random.Random(8)
    with open(path, "wb") as out:
        for number in range(mails):
            picture = base64.encodebytes(dice.randbytes(90_000))
            out.write(b"From archive %d\n" % number)
            out.write(b"From: member%d@club.example\nTo: all@club.example\nSubject: Trip %d\n" % (number % 40, number))
            out.write(b'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="cut-here"\n\n')
            out.write(b"--cut-here\nContent-Type: text/plain\n\nPictures of our trip.\n")
            out.write(b"--cut-here\nContent-Type: image/jpeg\nContent-Transfer-Encoding: base64\n\n")
            out.write(picture)
            out.write(b"--cut-here--\n\n")


def mails_of(path):
    with open(path, "rb") as archive:
        return archive.read().split(b"From archive ")[1:]


def subject_of(raw):
    message = email.message_from_bytes(raw.split(b"\n", 1)[1])
    return message["From"], message["Subject"]


def main():
    write_archive("club.mbox", 60)
    raws = mails_of("club.mbox")
    senders = collections.Counter()
    until = time.perf_counter() + SECONDS
    listed = 0
    while time.perf_counter() < until:
        for raw in raws:
            sender, subject = subject_of(raw)
            senders[sender] += len(subject)
            listed += 1
    print(listed, "mails of", len(senders), "senders")


main()
