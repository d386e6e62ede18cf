"""Another office: checks the register for mistakes, 100 ms each time, and leaves it alone for 2 ms."""
import fcntl
import time

with open("/proc/self/comm", "w") as comm:
    comm.write("archivist")
register = open("register.txt", "a+")
fcntl.lockf(register, fcntl.LOCK_EX)
open("ready", "w").close()
while True:
    time.sleep(0.1)
    fcntl.lockf(register, fcntl.LOCK_UN)
    time.sleep(0.002)
    fcntl.lockf(register, fcntl.LOCK_EX)
