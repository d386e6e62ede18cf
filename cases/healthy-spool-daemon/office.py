# people in an office, who print something now and then
import os, time
os.makedirs("spool", exist_ok=True)
open("ready", "w").close()
for number in range(200):
    time.sleep(0.35)
    with open("draft", "w") as out:
        out.write(("a line of a letter\n" * 40 + "\f") * 6)
    os.rename("draft", f"spool/letter-{number}")
