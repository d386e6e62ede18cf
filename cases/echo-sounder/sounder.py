"""An echo sounder that hears the questions, but whose microphone is broken."""
import socket

sounder = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
sounder.bind(("127.0.0.1", 0))
with open("port", "w") as file:
    file.write(str(sounder.getsockname()[1]))
open("ready", "w").close()
while True:
    sounder.recv(64)
