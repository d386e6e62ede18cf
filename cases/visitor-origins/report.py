"""Which hosts visit the library's web pages? Reads the access log and counts visits by host."""
import collections
import socket
import time


def write_sample_log(path, visits):
    """Writes a log as the web server does: few visitors, who come back."""
    with open(path, "w") as log:
        for visit in range(visits):
            address = f"10.20.{visit * 7 % 3}.{visit * 5 % 4 + 10}"
            log.write(f'{address} - - [12/May:10:{visit % 60:02d}] "GET /shelf/{visit}" 200 {visit * 91}\n')


def host_name(address):
    try:
        return socket.gethostbyaddr(address)[0]
    except OSError:
        return address


def read_visits(path):
    with open(path) as log:
        for line in log:
            fields = line.split()
            yield fields[0], int(fields[-1])


def report(path):
    visits = collections.Counter()
    sizes = collections.Counter()
    asked = 0.0
    for address, size in read_visits(path):
        before = time.monotonic()
        host = host_name(address)
        asked += time.monotonic() - before
        visits[host] += 1
        sizes[host] += size
    for host, count in visits.most_common():
        print(f"{host:30} {count:5} {sizes[host]:9}")
    return asked, sum(visits.values()), len(visits)


def main():
    write_sample_log("access.log", 64)
    start = time.monotonic()
    asked, questions, hosts = report("access.log")
    wall = time.monotonic() - start
    with open("truth", "w") as truth:
        truth.write(f"seconds {wall:.3f}\nseconds_asking {asked:.3f}\nquestions {questions}\nhosts {hosts}\n")


main()
