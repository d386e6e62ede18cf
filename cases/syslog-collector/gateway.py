"""A telephone gateway that writes a line to the system's log for each call."""
import logging
import logging.handlers
import time

log = logging.getLogger("gateway")
log.setLevel(logging.INFO)
log.addHandler(logging.handlers.SysLogHandler(address="log.sock"))
logging_time = 0.0


def log_call(caller, callee):
    global logging_time
    before = time.monotonic()
    log.info("call from %s to %s", caller, callee)
    logging_time += time.monotonic() - before


def connect_call(number):
    route = 0
    for digit in str(number * 104729):
        route = (route * 31 + int(digit)) % 997
    log_call(f"+49-30-{number}", f"trunk-{route}")


start, calls = time.monotonic(), 0
while time.monotonic() - start < 2:
    connect_call(calls)
    calls += 1
with open("truth", "w") as truth:
    truth.write(f"share {logging_time / (time.monotonic() - start):.3f}\ncalls {calls}\n")
