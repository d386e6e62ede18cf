"""Offices that answer one line per connection: prices at once, the history of a customer late."""
import socket
import threading
import time

DELAYS = {"price": 0.01, "stock": 0.02, "history": 0.62}


def serve(connection):
    with connection:
        topic = connection.recv(200).decode().split(" ")[0]
        time.sleep(DELAYS.get(topic, 0))
        try:
            connection.sendall(f"{topic} ok\n".encode())
        except OSError:
            pass


listener = socket.create_server(("127.0.0.1", 0), backlog=50)
with open("port", "w") as out:
    out.write(str(listener.getsockname()[1]))
open("ready", "w").close()
while True:
    threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
