import subprocess
subprocess.run(["git", "init", "-q", "repo"], check=True)
lines, mark = [], 0
for i in range(12000):
    mark += 1
    text = f"change {i}\n"
    lines.append(f"commit refs/heads/main\nmark :{mark}\ncommitter Clerk <clerk@example.org> {1_600_000_000 + i * 600} +0000\ndata {len(text)}\n{text}")
    if i:
        lines.append(f"from :{mark - 1}")
    body = f"text {i}\n"
    lines.append(f"M 100644 inline part{i % 40}.txt\ndata {len(body)}\n{body}")
    if i % 300 == 299:
        lines.append(f"reset refs/tags/v{i // 300}\nfrom :{mark}\n")
subprocess.run(["git", "fast-import", "--quiet"], input="\n".join(lines).encode() + b"\n", cwd="repo", check=True)
