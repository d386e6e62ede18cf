"""Converts a document with a helper program, and gives up after two seconds."""
import subprocess
import sys
import time


def convert(document):
    helper = subprocess.Popen([sys.argv[1], document], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        return helper.wait(timeout=2)
    except subprocess.TimeoutExpired:
        helper.kill()
        return helper.wait()


before = time.monotonic()
status = convert("letter.doc")
with open("truth", "w") as truth:
    truth.write(f"converting {time.monotonic() - before:.3f}\nstatus {status}\n")
