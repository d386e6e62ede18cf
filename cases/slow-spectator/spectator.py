"""Watches a game: takes each picture of 128 KB, and draws it, which takes 70 ms."""
import os
import socket
import time

SIZE = 4 * 32 * 1024


def take_picture(game):
    left = SIZE
    while left:
        piece = game.recv(min(left, 65536))
        if not piece:
            return False
        left -= len(piece)
    return True


def draw_picture():
    time.sleep(0.07)


with open("/proc/self/comm", "w") as comm:
    comm.write("spectator_app")
listener = socket.create_server(("127.0.0.1", 0))
with open("port.new", "w") as port:
    port.write(str(listener.getsockname()[1]))
os.rename("port.new", "port")
open("ready", "w").close()
game, _ = listener.accept()
while take_picture(game):
    draw_picture()
    game.sendall(b"s")
time.sleep(60)
