"""Writes a project of ten C files and its Makefile."""
UNITS = 10
for unit in range(UNITS):
    with open(f"unit{unit}.c", "w") as source:
        for number in range(60):
            source.write(
                f"int f{unit}_{number}(int a, int b) {{ int s = 0; for (int n = a; n < b; n++) "
                f"s += n * {number + 3} % (b + 1) + (a ^ n); return s; }}\n"
            )
        if unit == 0:
            source.write("int main(void) { return f0_1(1, 2) > 1000; }\n")
objects = " ".join(f"unit{unit}.o" for unit in range(UNITS))
with open("Makefile", "w") as makefile:
    makefile.write(f"CFLAGS = -O2\nprogram: {objects}\n\tcc -o $@ {objects}\n")
