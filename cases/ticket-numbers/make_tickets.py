"""The tickets of the last years, each a file."""
import os

os.mkdir("tickets")
for number in range(1, 4001):
    with open(f"tickets/ticket-{number:06}.txt", "w") as ticket:
        ticket.write("closed\n")
