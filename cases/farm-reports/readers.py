"""Four readers who ask the farm's server for reports, one after the other."""
import socket
import threading
import time
import urllib.request
from pathlib import Path

with socket.socket() as probe:
    probe.bind(("127.0.0.1", 0))
    port = probe.getsockname()[1]
Path("port").write_text(str(port))
Path("ready").touch()
end = time.monotonic() + 60


def reader(number):
    started = False
    while time.monotonic() < end:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/{number}", timeout=10).read()
            started = True
            number += 7
        except OSError:
            if started:
                return
            time.sleep(0.02)


threads = [threading.Thread(target=reader, args=(n,)) for n in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
