"""The trail of an archive: who asked for what. Kept in parts of some kilobytes, so that each fits into a mail."""
import logging
import logging.handlers
import os
import time

noting = 0.0


def open_trail(folder):
    os.makedirs(folder, exist_ok=True)
    parts = logging.handlers.RotatingFileHandler(os.path.join(folder, "trail.log"), maxBytes=1200, backupCount=250)
    parts.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    logger = logging.getLogger("trail")
    logger.propagate = False
    logger.setLevel(logging.INFO)
    logger.addHandler(parts)
    return logger


def note(logger, reader, box, allowed):
    global noting
    before = time.monotonic()
    logger.log(logging.INFO if allowed else logging.WARNING, "%s asks for %s: %s", reader, box,
               "given out" if allowed else "refused")
    noting += time.monotonic() - before
