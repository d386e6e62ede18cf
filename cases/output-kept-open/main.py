"""Asks a tool whether sources are in style, and reads its answer up to the end."""
import os
import subprocess
import time


def check_style(tool):
    """The tool is gone at once, but not all who can write to the pipe."""
    process = subprocess.Popen([tool], stdout=subprocess.PIPE)
    began = time.monotonic()
    answer = process.stdout.read()
    waited = time.monotonic() - began
    assert process.wait() == 0
    return answer, waited


def main():
    began = time.monotonic()
    answer, waited = check_style(os.path.join(os.environ["CASE_BIN"], "helper"))
    whole = time.monotonic() - began
    print("style:", answer.decode().strip())
    with open("truth", "w") as truth:
        truth.write("waited %.3f\nwhole %.3f\n" % (waited, whole))


main()
