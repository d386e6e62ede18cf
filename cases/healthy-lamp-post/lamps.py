"""The controller of the street lamps: busy twice for a moment, then answers with the list of its lamps."""
import socket
from pathlib import Path

with socket.create_server(("127.0.0.1", 0)) as server:
    Path("port").write_text(str(server.getsockname()[1]))
    Path("ready").touch()
    server.settimeout(60)
    for answer in ["busy\n", "busy\n", "".join(f"lamp {n} {n % 5}\n" for n in range(300))]:
        connection, _ = server.accept()
        with connection:
            connection.recv(100)
            connection.sendall(answer.encode())
