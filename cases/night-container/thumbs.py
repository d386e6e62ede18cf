"""Makes thumbnails of all pictures again, in the same container, at night when nobody is there."""
import hashlib

with open("/sys/fs/cgroup/cpu/night-container/tasks", "w") as tasks:
    tasks.write("0")
open("ready", "w").close()
picture = bytes(1 << 20)
while True:
    hashlib.blake2b(picture).digest()
