"""Four visitors that look at one picture after the other."""
import os
import threading
import time
import urllib.request

open("ready", "w").close()
while not os.path.exists("port"):
    time.sleep(0.005)
address = "http://127.0.0.1:" + open("port").read()


def visit():
    for number in range(15):
        urllib.request.urlopen(f"{address}/{number}.jpg").read()


for _ in range(4):
    threading.Thread(target=visit).start()
