# A service that needs 2 s until it listens, as if it loaded its inventory.
import socket
import time

server = socket.socket()
server.bind(("127.0.0.1", 0))
with open("port", "w") as file:
    file.write(str(server.getsockname()[1]))
open("ready", "w").close()
time.sleep(2.0)
server.listen(16)
while True:
    client, _ = server.accept()
    client.recv(100)
    client.sendall(b"1200 articles\n")
    client.close()
