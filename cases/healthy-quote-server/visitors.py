"""Some visitors come to the server, a quarter of a second apart; then the server is stopped by SIGTERM."""
import http.client
import os
import signal
import time

open("ready", "w").close()
while not os.path.exists("address"):
    time.sleep(0.01)
with open("address") as file:
    address, pid = file.read().split()
for visitor in range(7):
    time.sleep(0.25)
    connection = http.client.HTTPConnection(address)
    connection.request("GET", "/quote")
    connection.getresponse().read()
    connection.close()
time.sleep(0.25)
os.kill(int(pid), signal.SIGTERM)
