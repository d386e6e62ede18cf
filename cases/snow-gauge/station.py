"""A station that writes down its snow four times a second."""
import os
import time

n = 0
while True:
    with open("gauge.tmp", "w") as f:
        f.write(f"snow {80 + n % 7 + (20 if n % 9 == 8 else 0):.1f} cm\n")
    os.rename("gauge.tmp", "gauge")
    if n == 0:
        open("ready", "w").close()
    n += 1
    time.sleep(0.25)
