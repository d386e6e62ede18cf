"""A clerk who types a sum into the calculator now and then, for two seconds."""
import os
import time

os.mkfifo("keys")
open("ready", "w").close()
with open("keys", "w") as keys:
    for n in range(5):
        time.sleep(0.4)
        keys.write(f"scale=2; {120 + n} * 1.19 / 3\n")
        keys.flush()
    time.sleep(0.1)
while True:
    time.sleep(60)
