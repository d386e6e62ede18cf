"""Lays out the lessons of a school: forty-eight folders of subjects, and the texts in the last one."""
import os

subjects = [f"subjects/s{n:02d}" for n in range(48)]
for folder in subjects:
    os.makedirs(folder)
names = [f"lesson{n:03d}" for n in range(240)]
for name in names:
    with open(f"{subjects[-1]}/{name}.txt", "w") as out:
        out.write(f"# {name}\nread, think, write\n")
    # the pages are up to date
os.makedirs("pages")
for name in names:
    with open(f"pages/{name}.html", "w") as out:
        out.write("<p>")
with open("Makefile", "w") as out:
    out.write("VPATH = " + ":".join(subjects) + "\n")
    out.write("lessons := " + " ".join(names) + "\n\n")
    out.write("all: $(lessons:%=pages/%.html)\n\n")
    out.write("pages/%.html: %.txt\n\t@sed 's/^/<p>/' $< > $@\n")
