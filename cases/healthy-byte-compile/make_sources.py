import os

for folder in range(20):
    os.makedirs(f"source/part_{folder}")
    for module in range(25):
        with open(f"source/part_{folder}/module_{module}.py", "w") as out:
            for n in range(60):
                out.write(f"def function_{n}(a, b={n}):\n    total = [x * {n} + b for x in range(a) if x % {n + 2}]\n"
                          f"    return {{'sum': sum(total), 'name': f'{{a}} of {{b}}', 'module': {module}}}\n\n\n")
