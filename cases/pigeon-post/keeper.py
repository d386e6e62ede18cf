"""The book-keeper of a pigeon club: reads a head, then as many bytes as it says, and answers at once."""
import socket

server = socket.create_server(("127.0.0.1", 0))
with open("port", "w") as file:
    file.write(str(server.getsockname()[1]))
open("ready", "w").close()
while True:
    club, _ = server.accept()
    with club.makefile("rb") as letters:
        while head := letters.readline():
            letters.read(int(head.split()[1]))
            club.sendall(b"noted\n")
