/* A program that does nothing but open a log: `start lab-start WAY DIRECTORY`.
 *
 * WAY is "linear" (log.0, log.1 ... until a name is free), "time" (by the time and the process) or "none". It writes
 * the number of names that it tried to standard output, as four bytes. It uses no library, so its start costs what
 * the kernel takes for one. `build.rs` compiles it, and `src/child.rs` runs it.
 */

typedef long word;

enum { AT_FDCWD = -100, EEXIST = 17 };

#if defined(__x86_64__)
enum { WRITE = 1, GETPID = 39, EXIT = 231, OPENAT = 257, CLOCK_GETTIME = 228, DIRECTORY = 0200000, NOFOLLOW = 0400000 };

static word call(word number, word a, word b, word c, word d)
{
    register word fourth __asm__("r10") = d;
    word result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth)
                     : "rcx", "r11", "memory");
    return result;
}

__asm__(".globl _start\n_start:\n  xor %ebp, %ebp\n  mov %rsp, %rdi\n  and $-16, %rsp\n  call begin\n");
#elif defined(__aarch64__)
enum { WRITE = 64, GETPID = 172, EXIT = 94, OPENAT = 56, CLOCK_GETTIME = 113, DIRECTORY = 040000, NOFOLLOW = 0100000 };

static word call(word number, word a, word b, word c, word d)
{
    register word x8 __asm__("x8") = number;
    register word x0 __asm__("x0") = a;
    register word x1 __asm__("x1") = b;
    register word x2 __asm__("x2") = c;
    register word x3 __asm__("x3") = d;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3) : "memory");
    return x0;
}

__asm__(".globl _start\n_start:\n  mov x0, sp\n  bl begin\n");
#else
#error "no such processor is known here"
#endif

enum { WRONLY = 01, CREATE = 0100, EXCLUSIVE = 0200, CLOSE_ON_EXEC = 02000000 };

static char *number(char *to, unsigned long value)
{
    char digits[20];
    int count = 0;
    do {
        digits[count++] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    while (count)
        *to++ = digits[--count];
    *to = 0;
    return to;
}

static word take(word place, char *name)
{
    return call(OPENAT, place, (word)name, WRONLY | CREATE | EXCLUSIVE | CLOSE_ON_EXEC, 0644);
}

__attribute__((noreturn)) static void leave(int code)
{
    for (;;)
        call(EXIT, code, 0, 0, 0);
}

/* `stack` holds the number of words, then the words. */
__attribute__((used, noreturn)) void begin(word *stack)
{
    char name[64] = "log.";
    char *end = name + 4;
    unsigned probes = 0;
    if (stack[0] != 4)
        leave(2);
    char *way = (char *)stack[3];
    word place = call(OPENAT, AT_FDCWD, stack[4], DIRECTORY | NOFOLLOW | CLOSE_ON_EXEC, 0);
    if (place < 0)
        leave(1);
    if (way[0] == 'l') {
        word taken;
        do {
            number(end, probes++);
            taken = take(place, name);
        } while (taken == -EEXIST);
        if (taken < 0)
            leave(1);
    } else if (way[0] == 't') {
        word now[2];
        call(CLOCK_GETTIME, 1, (word)now, 0, 0);
        end = number(end, (unsigned long)now[0] * 1000000000ul + (unsigned long)now[1]);
        *end++ = '-';
        number(end, (unsigned long)call(GETPID, 0, 0, 0, 0));
        probes = 1;
        if (take(place, name) < 0)
            leave(1);
    }
    leave(call(WRITE, 1, (word)&probes, sizeof probes, 0) == sizeof probes ? 0 : 1);
}
