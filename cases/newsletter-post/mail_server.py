"""A mail server that lets clients wait before it greets them, as many do against spam (greet pause)."""
import socket
import threading
import time

GREET_PAUSE = 0.15


def talk(client):
    time.sleep(GREET_PAUSE)
    client.sendall(b"220 mail.example ESMTP\r\n")
    lines = client.makefile("rb")
    in_data = False
    for line in lines:
        command = line.split()[0].upper() if line.split() else b""
        if in_data:
            if line == b".\r\n":
                in_data = False
                client.sendall(b"250 queued\r\n")
        elif command == b"DATA":
            in_data = True
            client.sendall(b"354 go on\r\n")
        elif command == b"QUIT":
            client.sendall(b"221 bye\r\n")
            break
        else:
            client.sendall(b"250 ok\r\n")
    client.close()


with open("/proc/self/comm", "w") as comm:
    comm.write("mail_server")
listener = socket.create_server(("127.0.0.1", 0))
with open("port", "w") as f:
    f.write(str(listener.getsockname()[1]))
open("ready", "w").close()
while True:
    client, _ = listener.accept()
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    threading.Thread(target=talk, args=(client,), daemon=True).start()
