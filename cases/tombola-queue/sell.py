"""Sells the first tickets of the tombola."""
import os

os.mkdir("tickets")
for guest in range(700):
    with open(f"tickets/{guest:04}.ticket", "w") as ticket:
        ticket.write(f"guest {guest}")
