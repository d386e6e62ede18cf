"""The robot: takes what is done from the staging area to tape, one dump after the other."""
import os
import time

open("ready", "w").close()
end = time.time() + 20
while time.time() < end:
    for name in sorted(os.listdir("staging")) if os.path.isdir("staging") else []:
        if name.endswith(".done"):
            time.sleep(0.35)  # the tape winds
            os.remove("staging/" + name[:-5])
            os.remove("staging/" + name)
    time.sleep(0.02)
