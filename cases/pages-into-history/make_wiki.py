# An archive of 2,500 pages, and 900 pages that the wiki has exported anew.
import os
import subprocess

os.environ.update(GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_NOSYSTEM="1")
git = ["git", "-c", "init.defaultBranch=main", "-C", "archive"]


def page(number, version):
    return f"# Page {number}\n\nVersion {version}.\n" + f"Line about {number * 7919 % 1000}.\n" * 20


os.makedirs("archive/pages")
for n in range(2500):
    with open(f"archive/pages/page-{n:04}.md", "w") as out:
        out.write(page(n, 1))
subprocess.run([*git, "init", "-q"], check=True)
subprocess.run([*git, "add", "."], check=True)
subprocess.run([*git, "-c", "user.name=A", "-c", "user.email=a@example.test", "commit", "-qm", "All pages"], check=True)
os.mkdir("exported")
for n in range(900):
    with open(f"exported/page-{n * 2:04}.md", "w") as out:
        out.write(page(n * 2, 2))
