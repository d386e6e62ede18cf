"""Sixty plug-ins, each in a folder of its own."""
import os

for number in range(60):
    os.makedirs(f"plugins/carrier_{number:02}")
    with open(f"plugins/carrier_{number:02}/carrier_{number:02}.py", "w") as module:
        module.write(f"NAME = 'Carrier {number}'\n")
