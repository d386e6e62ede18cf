# 200 components with a folder for headers each. All headers that the program needs are in the last ones.
import os

for n in range(200):
    os.makedirs(f"component-{n:03}/include")
names = [f"part_{n:03}.h" for n in range(200)]
for n, name in enumerate(names):
    with open(f"component-{180 + n % 20}/include/{name}", "w") as file:
        file.write(f"int part_{n:03}(int x);\n#define PART_{n:03} {n}\n")
for unit in range(4):
    with open(f"unit{unit}.c", "w") as file:
        file.writelines(f"#include <{name}>\n" for name in names)
        file.write(f"int unit{unit}(int x) {{ return part_{unit:03}(x) + PART_007; }}\n")
with open("flags", "w") as file:
    file.writelines(f"-Icomponent-{n:03}/include\n" for n in range(200))
with open("flags.short", "w") as file:
    file.writelines(f"-Icomponent-{n:03}/include\n" for n in range(180, 200))
