# A repository of 400 sources and 500 commits, by git fast-import.
import random
import subprocess

chance = random.Random(7)
words = [f"name_{n}" for n in range(800)]


def source(file, version):
    lines = [f"int {words[(file * 7 + n) % 800]}_{n} = {chance.randrange(10 ** 6)};" for n in range(80)]
    return f"// version {version}\n" + "\n".join(lines) + "\n"


out = []
for n in range(500):
    message = f"Change {n}: {words[n % 800]}"
    out += ["commit refs/heads/main", f"committer A <a@example.test> {1700000000 + n * 3600} +0000",
            f"data {len(message)}", message]
    for file in range(400) if n == 0 else chance.sample(range(400), 5):
        text = source(file, n)
        out += [f"M 100644 inline src/d{file % 20}/file_{file}.c", f"data {len(text)}", text]
subprocess.run(["git", "init", "-q", "-b", "main", "project"], check=True)
subprocess.run(["git", "-C", "project", "fast-import", "--quiet"], input="\n".join(out) + "\n", text=True, check=True)
subprocess.run(["git", "-C", "project", "reset", "-q", "--hard"], check=True)
