"""An editor that checks the crate in the background, and has the folder of the build meanwhile."""
import fcntl, os, time

f = open("crate/target/debug/.cargo-lock", "r+")
fcntl.flock(f, fcntl.LOCK_EX)
ino = os.fstat(f.fileno()).st_ino
open("ready", "w").close()
seen = time.monotonic()
while time.monotonic() < seen + 20:
    if any("->" in l and f":{ino} " in l for l in open("/proc/locks")):
        break
    time.sleep(0.01)
time.sleep(1.5)
