"""A quiz master who sends a question over a Unix socket every 250 ms, eight in all."""
import socket
import time

server = socket.socket(socket.AF_UNIX)
server.bind("master.sock")
server.listen()
open("ready", "w").close()
while True:
    room, _ = server.accept()
    for number in range(8):
        time.sleep(0.25)
        room.sendall(f"Which river has {number + 2} names?\n".encode())
    room.close()
