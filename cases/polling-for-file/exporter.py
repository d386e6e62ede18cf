"""The other program: takes 2 seconds to write its result."""
import time

open("ready", "w").close()
time.sleep(2)
with open("result.part", "w") as result:
    result.write("a,b\n1,2\n")
import os

os.rename("result.part", "result.csv")
time.sleep(30)
