# A cloakroom with a queue of one. A coat takes 5 ms.
import os
import socket
import time

attendant = socket.socket()
attendant.bind(("127.0.0.1", 0))
attendant.listen(1)
with open("port.part", "w") as port:
    port.write(str(attendant.getsockname()[1]))
os.rename("port.part", "port")
open("ready", "w").close()
while True:
    visitor, _ = attendant.accept()
    visitor.recv(100)
    time.sleep(0.005)  # The coat is hung up.
    visitor.sendall(b"number 9")
    visitor.close()
