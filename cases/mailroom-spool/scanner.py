"""The scanner's output of a morning: seven thousand letters in the spool folder."""
import os

os.mkdir("spool")
os.mkdir("filed")
for n in range(7000):
    with open(f"spool/{n:06}-{n % 5}.letter", "w") as letter:
        letter.write(f"department {n % 5}\n")
