/* Walks into a known nesting and prints what an unwinder gets: registers, stack bytes, mappings.
 * usage: nested main|thread|signal|deep N
 * Output: lines "key value…" then "stack <sp> <hex bytes>". Built without frame pointers. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noipa))

static const char *kind;
static long depth;
static volatile int over = 1;

static void print_maps(void) {
    char line[4096];
    FILE *maps = fopen("/proc/self/maps", "r");
    while (fgets(line, sizeof line, maps))
        if (strstr(line, "r-xp")) printf("map %s", line);
    fclose(maps);
}

/* End of the mapping that holds the stack pointer. */
static uintptr_t stack_end(uintptr_t sp) {
    char line[4096];
    uintptr_t from, to, end = sp;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (fgets(line, sizeof line, maps))
        if (sscanf(line, "%lx-%lx", &from, &to) == 2 && from <= sp && sp < to) end = to;
    fclose(maps);
    return end;
}

static NOINLINE void snapshot(void) {
    uint64_t regs[9];
    __asm__ volatile("lea (%%rip), %%rax\n\tmov %%rax, 0(%0)\n\tmov %%rsp, 8(%0)\n\t"
                     "mov %%rbp, 16(%0)\n\tmov %%rbx, 24(%0)\n\tmov %%r12, 32(%0)\n\t"
                     "mov %%r13, 40(%0)\n\tmov %%r14, 48(%0)\n\tmov %%r15, 56(%0)"
                     : : "r"(regs) : "rax", "memory");
    unsigned char *sp = (unsigned char *)regs[1];
    size_t size = stack_end(regs[1]) - regs[1];
    unsigned char *copy = malloc(size);
    memcpy(copy, sp, size);
    print_maps();
    printf("regs");
    for (int i = 0; i < 8; i++) printf(" %lx", (unsigned long)regs[i]);
    printf("\nstack ");
    for (size_t i = 0; i < size; i++) printf("%02x", copy[i]);
    printf("\n");
    fflush(stdout);
    /* It might return, so it has the code for that. */
    if (over) _exit(0);
}

/* Some register pressure and stack use, so that every frame saves something else. */
static NOINLINE long inner(long a, long b) {
    volatile char room[300];
    room[a & 255] = (char)b;
    snapshot();
    return room[b & 255] + a;
}

static NOINLINE long middle(long a) {
    long b = a * 3 + depth;
    long c = inner(a, b);
    return c + b;
}

static NOINLINE long outer(long a) {
    if (a > 0) return outer(a - 1) + a;
    volatile long spill[7] = {a, 1, 2, 3, 4, 5, 6};
    long sum = middle(spill[2]);
    return sum + spill[3];
}

static void handler(int signal) { outer(signal - signal); }

static NOINLINE long begin(void) {
    if (!strcmp(kind, "signal")) {
        signal(SIGUSR1, handler);
        return raise(SIGUSR1) + depth;
    }
    return outer(depth) + depth;
}

static void *thread(void *argument) { return (void *)(begin() + (long)argument); }

int main(int argc, char **argv);

#ifdef OWN_START
/* The beginning as static programs of musl have it: what `_start` calls never returns, and uses the register of the
 * frame pointer for other things. */
__asm__(".globl _start\n_start:\n\txor %rbp, %rbp\n\tmov %rsp, %rdi\n\tand $-16, %rsp\n\tcall own_start\n\tnop\n");
__attribute__((used, noreturn)) NOINLINE void own_start(long *stack) {
    __asm__ volatile("mov $1, %%ebp" : : : "rbp");
    exit(main((int)stack[0], (char **)(stack + 1)));
}
#endif

int main(int argc, char **argv) {
    kind = argc > 1 ? argv[1] : "main";
    depth = argc > 2 ? atol(argv[2]) : 0;
    printf("function main %lx\nfunction thread %lx\nfunction begin %lx\nfunction outer %lx\n",
           (long)main, (long)thread, (long)begin, (long)outer);
    printf("function middle %lx\nfunction inner %lx\nfunction snapshot %lx\nfunction handler %lx\n",
           (long)middle, (long)inner, (long)snapshot, (long)handler);
    if (!strcmp(kind, "thread")) {
        pthread_t id;
        pthread_create(&id, NULL, thread, NULL);
        pthread_join(id, NULL);
    }
    return (int)begin();
}
