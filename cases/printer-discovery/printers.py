"""Three printers that answer at once."""
import os
import select
import socket

with open("/proc/self/comm", "w") as comm:
    comm.write("printers")
printers = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(3)]
for printer in printers:
    printer.bind(("127.0.0.1", 0))
with open("ready.part", "w") as ready:
    ready.write(" ".join(str(printer.getsockname()[1]) for printer in printers))
os.rename("ready.part", "ready")
while True:
    for printer in select.select(printers, [], [])[0]:
        question, address = printer.recvfrom(1500)
        printer.sendto(b"I CAN" + question[7:], address)
