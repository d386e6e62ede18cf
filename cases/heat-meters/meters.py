"""Twelve heat meters of a house. They know READ, and nothing about SERIAL, which came with a newer model."""
import select
import socket

meters = []
for number in range(12):
    meter = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    meter.bind(("127.0.0.1", 4730 + number))
    meters.append(meter)
open("ready", "w").close()
while True:
    for meter in select.select(meters, [], [])[0]:
        question, reader = meter.recvfrom(100)
        if question == b"READ":
            number = meters.index(meter)
            meter.sendto(b"%d kWh" % (1200 + number * 37), reader)
