# the sources of a small filter library, and what ninja needs to build it
units = 8
with open("build.ninja", "w") as ninja:
    print("rule cc\n  command = cc -O2 -c $in -o $out\nrule ar\n  command = rm -f $out && ar rc $out $in\nrule link\n  command = cc -o $out $in -lm\n", file=ninja)
    for u in range(units):
        with open(f"filter{u}.c", "w") as out:
            print("#include <math.h>\n#include <stddef.h>", file=out)
            for f in range(42):
                print(f"""void filter{u}_{f}(double *out, const double *in, size_t n) {{
    double state[4] = {{0}};
    for (size_t i = 0; i < n; i++) {{
        double x = in[i] * {0.1 + f / 70:.3f};
        for (int k = 0; k < 4; k++) {{ state[k] = state[k] * {0.9 - u / 40:.3f} + x; x -= state[k] * {0.2 + f / 200:.3f}; }}
        out[i] = fabs(x) > {f + 1} ? tanh(x) : x;
    }}
    for (size_t i = 1; i + 1 < n; i++) out[i] = (out[i - 1] + 2 * out[i] + out[i + 1]) / 4;
}}""", file=out)
        print(f"build filter{u}.o: cc filter{u}.c", file=ninja)
    objects = " ".join(f"filter{u}.o" for u in range(units))
    print(f"build libfilters.a: ar {objects}\nbuild main.o: cc main.c\nbuild demo: link main.o libfilters.a", file=ninja)
with open("main.c", "w") as out:
    print("#include <stdio.h>\n#include <stddef.h>\nvoid filter3_7(double *, const double *, size_t);\nint main(void) { double a[8] = {1, 2, 3}, b[8]; filter3_7(b, a, 8); printf(\"%f\\n\", b[2]); return 0; }", file=out)
