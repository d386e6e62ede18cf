"""A conveyor belt: brings a parcel every 90 ms."""
import socket
import time

with open("/proc/self/comm", "w") as comm:
    comm.write("conveyor")
listener = socket.socket(socket.AF_UNIX)
listener.bind("belt.sock")
listener.listen()
open("ready", "w").close()
while True:
    sorter, _ = listener.accept()
    parcel = 0
    try:
        while True:
            time.sleep(0.09)
            parcel += 1
            sorter.sendall(b"parcel %d %05d\n" % (parcel, parcel * 7919 % 100000))
    except OSError:
        sorter.close()
