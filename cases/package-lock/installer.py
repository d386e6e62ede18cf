"""Installs packages; only one program at a time may change what is installed."""
import fcntl
import sys


def lock_packages(lock):
    fcntl.lockf(lock, fcntl.LOCK_EX)


def install(package, book):
    book.write(f"{package} 1.0\n")


def main():
    with open("/proc/self/comm", "w") as comm:
        comm.write("installer")
    with open("packages.lock", "a") as lock:
        lock_packages(lock)
        with open("installed.txt", "a") as book:
            for package in sys.argv[1:]:
                install(package, book)


main()
