"""Shows the weather of an airport as it comes from a broker, for as many seconds as the argument says."""
import selectors
import socket
import sys
import time

latest = 0.0


def show_report(line):
    global latest
    sent, text = line.split(" ", 1)
    latest = max(latest, time.clock_gettime(time.CLOCK_MONOTONIC) - float(sent))
    print(text, flush=True)


def watch(broker, until):
    rest, shown = b"", 0
    with selectors.DefaultSelector() as selector:
        selector.register(broker, selectors.EVENT_READ)
        while (left := until - time.monotonic()) > 0:
            if not selector.select(left):
                continue
            *lines, rest = (rest + broker.recv(4096)).split(b"\n")
            for line in lines:
                show_report(line.decode())
                shown += 1
    return shown


with open("ready") as file:
    connection = socket.create_connection(("127.0.0.1", int(file.read())))
connection.sendall(b"SUBSCRIBE airports/EDDB/weather\n")
reports = watch(connection, time.monotonic() + float(sys.argv[1]))
with open("truth", "w") as truth:
    truth.write(f"reports {reports}\nlatest_ms {1000 * latest:.2f}\ncpu {time.process_time():.3f}\n")
