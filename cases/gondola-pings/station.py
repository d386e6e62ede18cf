"""The radio station of the gondolas. Of every nine questions, one is lost in the noise of the canal."""
import socket

with open("/proc/self/comm", "w") as comm:
    comm.write("station")
radio = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
radio.bind(("127.0.0.1", 0))
with open("port", "w") as f:
    f.write(str(radio.getsockname()[1]))
open("ready", "w").close()
heard = 0
while True:
    question, boat = radio.recvfrom(512)
    heard += 1
    if heard % 9:
        radio.sendto(b"canal grande, pile " + question.split()[1], boat)
