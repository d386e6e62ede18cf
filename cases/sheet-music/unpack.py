"""Unpacks the scans that the musicians have sent."""
import os

COMPOSERS = ["Bach", "HAYDN", "mozart", "Brahms", "DVORAK", "Elgar"]
os.mkdir("scans")
for number in range(5000):
    open(f"scans/{COMPOSERS[number % 6]}-Opus-{number:05}.pdf", "w").close()
