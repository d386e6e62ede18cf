"""The other program: takes 2 seconds to write its result from when it is asked for."""
import os
import time

open("ready", "w").close()
while not os.path.exists("asked"):
    time.sleep(0.005)
time.sleep(2)
with open("result.part", "w") as result:
    result.write("a,b\n1,2\n")
os.rename("result.part", "result.csv")
time.sleep(30)
