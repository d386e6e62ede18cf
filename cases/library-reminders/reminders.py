#!/usr/bin/env python3
"""Reminds the readers of a library of books that are due."""
import smtplib
import socket
import sys
import time
from email.message import EmailMessage

RELAY = ("127.0.0.1", 12584)
BOOKS = ["The Lighthouse Keeper", "A Field Guide to Mosses", "Bread", "Tidal Rivers", "On Clocks"]


def due_loans():
    n = 0
    while True:
        yield f"reader{n}@library.example", BOOKS[n % len(BOOKS)], n % 28 + 1
        n += 1


def compose(reader, book, day):
    m = EmailMessage()
    m["From"] = "desk@library.example"
    m["To"] = reader
    m["Subject"] = f"Please bring back: {book}"
    m.set_content(f"Dear reader,\n\n\"{book}\" was due on day {day}. Thank you!\n")
    return m


def send(message):
    with smtplib.SMTP(*RELAY) as relay:
        relay.send_message(message)


def main():
    until = time.monotonic() + 2.0
    sent = 0
    for reader, book, day in due_loans():
        if time.monotonic() >= until:
            break
        send(compose(reader, book, day))
        sent += 1
    print(sent, "reminders sent")


main()
