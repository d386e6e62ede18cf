// Checks an integrator of orbits against quadruple precision: how far do the planets drift from where they should be?
#include <math.h>
#include <stdio.h>
#include <time.h>

typedef __float128 Real;
#define BODIES 4

typedef struct { Real x[2], v[2], m; } Body;
typedef struct { double x[2], v[2], m; } Quick;

static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + t.tv_nsec * 1e-9; }

static Real root(Real value) {
    Real r = sqrt((double)value);
    for (int i = 0; i < 3; i++) r = (r + value / r) / 2;
    return r;
}

static __attribute__((noinline)) void exact_step(Body *bodies, Real h) {
    for (int i = 0; i < BODIES; i++) {
        Real a[2] = {0, 0};
        for (int j = 0; j < BODIES; j++) {
            if (i == j) continue;
            Real dx = bodies[j].x[0] - bodies[i].x[0], dy = bodies[j].x[1] - bodies[i].x[1];
            Real r2 = dx * dx + dy * dy + (Real)1e-4, r3 = r2 * root(r2);
            a[0] += bodies[j].m * dx / r3;
            a[1] += bodies[j].m * dy / r3;
        }
        for (int k = 0; k < 2; k++) bodies[i].v[k] += h * a[k];
    }
    for (int i = 0; i < BODIES; i++)
        for (int k = 0; k < 2; k++) bodies[i].x[k] += h * bodies[i].v[k];
}

static __attribute__((noinline)) void quick_step(Quick *bodies, double h) {
    for (int i = 0; i < BODIES; i++)
        for (int j = 0; j < BODIES; j++) {
            if (i == j) continue;
            double dx = bodies[j].x[0] - bodies[i].x[0], dy = bodies[j].x[1] - bodies[i].x[1];
            double r2 = dx * dx + dy * dy + 1e-4, r3 = r2 * sqrt(r2);
            bodies[i].v[0] += h * bodies[j].m * dx / r3;
            bodies[i].v[1] += h * bodies[j].m * dy / r3;
        }
    for (int i = 0; i < BODIES; i++)
        for (int k = 0; k < 2; k++) bodies[i].x[k] += h * bodies[i].v[k];
}

static void start_bodies(Body *exact, Quick *quick) {
    for (int i = 0; i < BODIES; i++) {
        double r = i * 1.3, v = i ? sqrt(1 / r) : 0;
        quick[i] = (Quick){{r, 0}, {0, v}, i ? 1e-3 * i : 1};
        exact[i] = (Body){{r, 0}, {0, v}, quick[i].m};
    }
}

int main(void) {
    Body exact[BODIES];
    Quick quick[BODIES];
    double start = now(), in_exact = 0, in_quick = 0, drift = 0;
    long steps = 0;
    start_bodies(exact, quick);
    while (now() - start < 2) {
        double before = now();
        for (int i = 0; i < 100; i++) exact_step(exact, (Real)1 / 1024);
        double between = now();
        for (int round = 0; round < 40; round++)          // the same way with ever smaller steps
            for (int i = 0; i < 100; i++) quick_step(quick, 1.0 / 1024 / 40);
        in_quick += now() - between;
        in_exact += between - before;
        drift = fmax(drift, fabs((double)(exact[1].x[0] - quick[1].x[0])));
        steps += 100;
    }
    printf("%ld steps, largest drift %g; exact %.2f s, quick %.2f s\n", steps, drift, in_exact, in_quick);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "exact %.3f\n", in_exact / (now() - start));
    return fclose(truth);
}
