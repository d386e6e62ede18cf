# A model kit of 900 small parts, each with a folder and a makefile of its own; everything is up to date.
import os
import time

RULES = "CC = cc\nCFLAGS = -O2\n\n%.txt: %.src\n\tcp $< $@\n" + "".join(
    f"%.{kind}: %.txt\n\tsed 's/^/{kind} /' $< > $@\n" for kind in ("label", "list", "plan", "box"))

os.makedirs("kit/parts")
with open("kit/rules.mk", "w") as out:
    out.write(RULES)
past = time.time() - 3900
for n in range(900):
    folder = f"kit/parts/part-{n:03}"
    os.mkdir(folder)
    with open(f"{folder}/Makefile", "w") as out:
        out.write("include ../../rules.mk\n\nall: part.label part.plan\n\n.SECONDARY:\n")
    for age, name in enumerate(("part.src", "part.txt", "part.label", "part.plan")):
        with open(f"{folder}/{name}", "w") as out:
            out.write(f"part {n}\n")
        os.utime(f"{folder}/{name}", (past + age, past + age))
with open("kit/Makefile", "w") as out:
    out.write("PARTS := $(wildcard parts/*)\n\nall: $(PARTS)\n\techo \"parts $(words $(PARTS))\" > ../truth\n\n"
              "$(PARTS):\n\t@$(MAKE) --no-print-directory -s -C $@\n\n.PHONY: all $(PARTS)\n")
