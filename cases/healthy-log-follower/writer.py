"""A web shop that writes a line into its log for each sale, a few times a second."""
import time

with open("/proc/self/comm", "w") as comm:
    comm.write("web-shop")
with open("sales.log", "w", buffering=1) as log:
    print("shop opens", file=log)
    open("ready", "w").close()
    sale = 0
    while True:
        time.sleep(0.13)
        sale += 1
        print(f"sale {sale} {sale * 37 % 400}", file=log)
