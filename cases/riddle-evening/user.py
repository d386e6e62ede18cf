"""The user: thinks for a while, types an answer, and presses return."""
import pathlib
import time

pathlib.Path("ready").touch()
with open("keyboard", "w", buffering=1) as keyboard:
    for answer in ["a clock", "the towel", "a saw?", "a river", "needle"]:
        time.sleep(0.42)
        keyboard.write(answer + "\n")
