"""Makes a small picture of each photograph that arrives in the drop box, for two seconds' worth of them."""
import ctypes
import os
import struct
import time

IN_MOVED_TO = 0x80
libc = ctypes.CDLL(None, use_errno=True)


def arrivals(folder, end):
    watch = libc.inotify_init1(os.O_CLOEXEC)
    libc.inotify_add_watch(watch, folder.encode(), IN_MOVED_TO)
    while time.time() < end:
        events = os.read(watch, 4096)
        while events:
            length = struct.unpack_from("iIII", events)[3]
            yield events[16:16 + length].rstrip(b"\0").decode()
            events = events[16 + length:]
    os.close(watch)


def small_picture(name):
    with open(f"box/{name}", "rb") as file:
        photo = file.read()
    with open(f"box/{name}.small", "wb") as file:
        file.write(bytes(sum(photo[at:at + 16]) // 16 for at in range(0, len(photo), 16)))


start, late, photos = time.time(), 0.0, 0
for name in arrivals("box", start + 2):
    small_picture(name)
    late += time.time() - os.stat(f"box/{name}").st_ctime
    photos += 1
with open("truth", "w") as truth:
    truth.write(f"photos {photos}\nms_after_arrival {late / photos * 1000:.1f}\n")
