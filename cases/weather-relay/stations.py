"""Four weather stations, each of which reports about three times a second and hears the others."""
import random, socket, threading, time


def station(n):
    r = random.Random(n)
    s = socket.socket(socket.AF_UNIX)
    while True:
        try:
            s.connect("relay.sock")
            break
        except OSError:
            time.sleep(0.05)

    def hear():
        try:
            while s.recv(4096):
                pass
        except OSError:
            pass

    threading.Thread(target=hear, daemon=True).start()
    try:
        while True:
            time.sleep(r.uniform(0.2, 0.45))
            s.sendall(f"ST{n} {r.uniform(2, 9):.1f} C {r.randrange(990, 1030)} hPa\n".encode())
    except OSError:
        pass


for n in range(4):
    threading.Thread(target=station, args=(n,), daemon=True).start()
open("ready", "w").close()
time.sleep(60)
