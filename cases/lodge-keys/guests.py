"""Six guests sign in again and again, for a second and a half; then the service is told to end."""
import pathlib
import threading
import time
import urllib.request

pathlib.Path("ready").touch()
port = pathlib.Path("port")
while not port.exists():
    time.sleep(0.01)
address = f"http://127.0.0.1:{port.read_text()}"
end = time.monotonic() + 1.6


def guest(number):
    while time.monotonic() < end:
        urllib.request.urlopen(f"{address}/key?name=member{number}&word=word{number}").read()


threads = [threading.Thread(target=guest, args=(number,)) for number in range(6)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
urllib.request.urlopen(f"{address}/end").read()
