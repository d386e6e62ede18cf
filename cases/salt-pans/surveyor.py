"""The surveyor reads all pans as one consistent picture: it locks the whole store while it draws its chart."""
import fcntl
import time

with open("/proc/self/comm", "w") as comm:
    comm.write("surveyor")
store = open("pans.dat", "w+b")
store.write(b"0".ljust(32, b"\0") * 64)
store.flush()


def draw_chart():
    """Stands at the plotter; the pens move slowly."""
    fcntl.lockf(store, fcntl.LOCK_EX)
    time.sleep(0.19)
    fcntl.lockf(store, fcntl.LOCK_UN)


open("ready", "w").close()
while True:
    draw_chart()
    time.sleep(0.0005)
