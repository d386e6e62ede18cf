"""Sends a newsletter to each subscriber."""
import smtplib
import time
from email.message import EmailMessage

with open("port") as f:
    PORT = int(f.read())
connecting = 0.0


def write_letter(subscriber):
    letter = EmailMessage()
    letter["From"] = "news@garden.example"
    letter["To"] = f"subscriber-{subscriber}@home.example"
    letter["Subject"] = "What to sow in April"
    letter.set_content("Dear gardener,\n\nradishes, spinach and peas.\n")
    return letter


def open_mailer():
    global connecting
    before = time.perf_counter()
    mailer = smtplib.SMTP("127.0.0.1", PORT, local_hostname="garden.example")
    connecting += time.perf_counter() - before
    return mailer


def send_letter(letter):
    with open_mailer() as mailer:
        mailer.send_message(letter)


start = time.perf_counter()
sent = 0
while time.perf_counter() - start < 2.0:
    send_letter(write_letter(sent))
    sent += 1
wall = time.perf_counter() - start
with open("truth", "w") as f:
    f.write(f"share {connecting / wall:.3f}\nsent {sent}\n")
