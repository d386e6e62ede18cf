"""Sends the invitations of a club: a letter with everybody's name, and the map of the place."""
import random
import time
from email import policy
from email.message import EmailMessage
from pathlib import Path

MAP = Path("map.pdf")


def members():
    n = 0
    while True:
        n += 1
        yield f"Member {n}", f"member{n}@club.example"


def compose(name, address, chart):
    msg = EmailMessage(policy=policy.SMTP)
    msg["From"] = "office@club.example"
    msg["To"] = f"{name} <{address}>"
    msg["Subject"] = f"Summer party, {name}"
    msg.set_content(f"Dear {name},\n\nyou are invited to our summer party. The map is attached.\n")
    msg.add_attachment(chart, maintype="application", subtype="pdf", filename="map.pdf")
    return msg


def post(msg, outbox):
    data = msg.as_bytes()
    outbox.seek(0)
    outbox.write(data)
    return len(data)


def main():
    MAP.write_bytes(random.Random(1).randbytes(1_400_000))
    chart = MAP.read_bytes()
    started = time.monotonic()
    merging = 0.0
    letters = 0
    with open("outbox.eml", "wb") as outbox:
        for name, address in members():
            before = time.monotonic()
            msg = compose(name, address, chart)
            post(msg, outbox)
            merging += time.monotonic() - before
            letters += 1
            if time.monotonic() - started > 2:
                break
    share = merging / (time.monotonic() - started)
    Path("truth").write_text(f"share {share:.2f}\nletters {letters}\n")


if __name__ == "__main__":
    main()
