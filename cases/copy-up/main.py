"""Sets the permissions of the files of a container's image when the container starts. Each file lies in a lower layer,
so the file system copies it as a whole into the upper layer first."""
import os
import time

start, changing, files = time.monotonic(), 0.0, 0


def set_permissions(path):
    os.chmod(path, 0o640)


for name in sorted(os.listdir("merged")):
    before = time.monotonic()
    set_permissions("merged/" + name)
    changing += time.monotonic() - before
    files += 1
    if time.monotonic() - start > 2.5:
        break
took = time.monotonic() - start
before = time.monotonic()
for name in sorted(os.listdir("merged"))[:files]:
    os.chmod("merged/" + name, 0o600)
again = time.monotonic() - before
with open("truth", "w") as truth:
    truth.write(f"changing {changing / took:.3f}\ntook {took:.2f}\nfiles {files}\nsecond_time {again:.4f}\n")
