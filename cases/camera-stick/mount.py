"""Mounts the stick for a user without rights: by fuse2fs, in the foreground."""
import os
import subprocess
import time

mounted = subprocess.Popen(["fuse2fs", "-f", "-o", "rw,fakeroot", "stick.img", "stick"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
while not os.path.ismount("stick"):
    time.sleep(0.01)
open("ready", "w").close()
mounted.wait()
