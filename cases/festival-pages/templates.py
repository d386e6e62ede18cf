"""A template engine: {{ value }}, {% for x in list %}, {% if x %}, {% end %}. Templates are compiled to Python."""
import os
import re

TOKEN = re.compile(r"(\{\{.*?\}\}|\{%.*?%\})", re.S)


class Template:
    def __init__(self, code):
        self.code = code

    def render(self, **values):
        out = []
        exec(self.code, dict(values, emit=out.append))
        return "".join(out)


def compile_template(text, name):
    lines, depth = [], 0
    for token in TOKEN.split(text):
        if token.startswith("{{"):
            lines.append("    " * depth + f"emit(str({token[2:-2].strip()}))")
        elif token.startswith("{%"):
            word = token[2:-2].strip()
            if word == "end":
                depth -= 1
            else:
                lines.append("    " * depth + word + ":")
                depth += 1
        elif token:
            lines.append("    " * depth + f"emit({token!r})")
    return Template(compile("\n".join(lines), name, "exec"))


class Loader:
    def __init__(self, folder):
        self.folder = folder
        self.cache = {}

    def get(self, name):
        path = os.path.join(self.folder, name)
        changed = os.stat(path).st_mtime
        cached = self.cache.get(name)
        if cached and cached[0] >= changed:
            return cached[1]
        with open(path) as f:
            template = compile_template(f.read(), name)
        self.cache[name] = (int(changed), template)
        return template
