"""The tariff service: works out the tariffs of a year when somebody asks for them."""
import socket, time

s = socket.create_server(("127.0.0.1", 12589))
open("ready", "w").close()
while True:
    c, _ = s.accept()
    c.recv(100)
    text = []
    for zone in range(120):
        text.append(f"{zone} {0.5 + zone % 17 * 0.3:.2f}\n")
        time.sleep(0.0145)
    c.sendall("".join(text).encode())
    c.close()
