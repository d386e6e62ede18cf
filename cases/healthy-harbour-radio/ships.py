"""Ships that call the harbour, with longer and shorter pauses."""
import socket
import threading
import time

with open("/proc/self/comm", "w") as comm:
    comm.write("ships")
air = socket.create_server(("127.0.0.1", 0))
with open("port", "w") as port:
    port.write(str(air.getsockname()[1]))
open("ready", "w").close()
while True:
    radio, _ = air.accept()
    threading.Thread(target=lambda heard=radio: [None for _ in iter(lambda: heard.recv(1000), b"")], daemon=True).start()
    try:
        for number in range(100):
            time.sleep((0.1, 0.5, 0.2)[number % 3])
            radio.sendall(b"ship %d asks for a berth\n" % number)
    except OSError:
        pass
