"""The notebooks of a bird observatory, one table for each night, in a new repository of its members."""
import subprocess

subprocess.run(["git", "init", "--quiet", "notes"], check=True)
with open("notes/.gitattributes", "w") as f:
    f.write("*.csv filter=tidy\n")
with open("notes/.git/config", "a") as f:
    f.write('[filter "tidy"]\n\tclean = sed -e \'s/ *$//\' -e s/,,*$//\n')
for night in range(520):
    with open(f"notes/night-{night:03}.csv", "w") as f:
        f.write("ring,bird,grams,,\n")
        for n in range(20):
            f.write(f"{night * 20 + n},song thrush,{60 + night * n % 30}, ,  \n")
