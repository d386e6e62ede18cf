"""The purchase program: keeps the stock file locked while it talks to suppliers."""
import fcntl, time

f = open("stock.sto", "r+b")
fcntl.flock(f, fcntl.LOCK_EX)
open("ready", "w").close()
while True:
    time.sleep(0.26)
    fcntl.flock(f, fcntl.LOCK_UN)
    time.sleep(0.06)
    fcntl.flock(f, fcntl.LOCK_EX)
