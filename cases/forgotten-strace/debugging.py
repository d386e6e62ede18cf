# Attaches strace to the service 0.2 s after it started.
import os
import time

open("ready", "w").close()
while not (os.path.exists("service.pid") and os.path.getsize("service.pid")):
    time.sleep(0.01)
time.sleep(0.2)
os.execvp("strace", ["strace", "-f", "-o", "trace.txt", "-p", open("service.pid").read()])
