"""A shop's service: it is ready soon after its start, and then writes a line of statistics now and then."""
import os
import time

out = open("shop.log", "a", buffering=1)
out.write("starting\n")
open("ready", "w").close()
while not os.path.exists("go"):
    time.sleep(0.005)
os.unlink("go")
time.sleep(0.06)
out.write("listening, ready for orders\n")
while True:
    time.sleep(1.7)
    out.write("stats orders=0 errors=0\n")
