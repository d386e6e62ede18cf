"""Checks one file after the other, each by a Python of its own that first loads half of its library."""
import subprocess
import sys
import time

CHECK = "import asyncio, decimal, email.mime.text, http.client, logging.config, unittest, xml.dom.minidom; 1 + 1"


def run_check(number):
    subprocess.run([sys.executable, "-c", CHECK], check=True)


start, checks = time.monotonic(), 0
while time.monotonic() - start < 2.5:
    run_check(checks)
    checks += 1
with open("truth", "w") as truth:
    truth.write(f"checks {checks}\nms_per_check {2500 / checks:.0f}\n")
