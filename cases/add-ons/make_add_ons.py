# An editor with 560 add-ons, each in a folder of its own with a module or two.
import os

for n in range(560):
    folder = f"add-ons/add-on-{n:03}"
    os.makedirs(folder)
    for module in range(1 + n % 2):
        with open(f"{folder}/tool_{n:03}_{module}.py", "w") as out:
            out.write(f'"""Tool {n}.{module}."""\nNAME = "tool {n}.{module}"\n\n\n'
                      f"def apply(text):\n    return text.replace('{n}', NAME)\n")
