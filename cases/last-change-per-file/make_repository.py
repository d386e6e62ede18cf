# A repository of 250 pages and 400 commits, by git fast-import.
import subprocess

lines = []
for n in range(400):
    pages = range(250) if n == 0 else [n * 7 % 250]
    message = f"Change {n}"
    lines += ["commit refs/heads/main", f"committer A <a@example.test> {1700000000 + n * 3600} +0000",
              f"data {len(message)}", message]
    for page in pages:
        text = f"# Page {page}\nversion {n}\n"
        lines += [f"M 100644 inline pages/page-{page:03}.md", f"data {len(text)}", text]
subprocess.run(["git", "init", "-q", "-b", "main", "site"], check=True)
subprocess.run(["git", "-C", "site", "fast-import", "--quiet"], input="\n".join(lines) + "\n", text=True, check=True)
subprocess.run(["git", "-C", "site", "reset", "-q", "--hard"], check=True)
