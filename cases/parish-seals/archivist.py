"""Copies the register to the archive again and again, and lets nobody write meanwhile."""
import fcntl
import hashlib
import pathlib
import time


def archive(register):
    with open("register.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        end = time.monotonic() + 0.12
        text = register.read_bytes() if register.exists() else b""
        while time.monotonic() < end:
            hashlib.sha256(text).digest()
            time.sleep(0.004)
        pathlib.Path("archive.txt").write_bytes(text)


pathlib.Path("ready").touch()
while True:
    archive(pathlib.Path("register.txt"))
    time.sleep(0.01)
