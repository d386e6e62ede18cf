/* A box for the programs of a contest: each file that the program opens must be allowed by the rules of
   the contest (seccomp user notification). The rules are shell patterns, the last one that matches counts. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define RULES 6000

static char rules[RULES][48];
static char allow[RULES];

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static void load_rules(void)
{
    for (int i = 0; i < RULES; i++) {
        snprintf(rules[i], sizeof rules[i], "*/team-%03d/*task-%d*.[ch]", i % 500, i / 500);
        allow[i] = i % 3 != 0;
    }
    strcpy(rules[RULES / 2], "data/case-*.txt");
    allow[RULES / 2] = 1;
}

static int path_allowed(const char *path)
{
    int allowed = 0;
    for (int i = 0; i < RULES; i++)
        if (fnmatch(rules[i], path, 0) == 0)
            allowed = allow[i];
    return allowed;
}

/* The program of a team: sums up the numbers of its test cases, one file each. */
static void program(void)
{
    double start = now();
    long files = 0, sum = 0;
    while (now() - start < 2.0) {
        char name[64];
        int value;
        snprintf(name, sizeof name, "data/case-%ld.txt", files % 40);
        FILE *file = fopen(name, "r");
        if (file == NULL) {
            perror(name);
            _exit(1);
        }
        while (fscanf(file, "%d", &value) == 1)
            sum += value;
        fclose(file);
        files++;
    }
    printf("%ld files, sum %ld\n", files, sum);
    fflush(stdout);
    _exit(0);
}

static int guard_opens(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {sizeof code / sizeof code[0], code};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &filter);
}

static void send_listener(int channel, int listener)
{
    char space[CMSG_SPACE(sizeof(int))] = {0}, byte = 'l';
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof space};
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(head), &listener, sizeof listener);
    if (sendmsg(channel, &message, 0) != 1)
        perror("sendmsg");
}

static int receive_listener(int channel)
{
    char space[CMSG_SPACE(sizeof(int))], byte;
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof space};
    int listener = -1;
    if (recvmsg(channel, &message, 0) == 1)
        memcpy(&listener, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof listener);
    return listener;
}

static void read_path(pid_t pid, unsigned long at, char *path, size_t size)
{
    char memory[64];
    snprintf(memory, sizeof memory, "/proc/%d/mem", (int)pid);
    int file = open(memory, O_RDONLY);
    ssize_t length = pread(file, path, size - 1, (off_t)at);
    path[length > 0 ? length : 0] = 0;
    close(file);
}

static void supervise(int listener)
{
    struct seccomp_notif request;
    struct seccomp_notif_resp reply;
    for (;;) {
        memset(&request, 0, sizeof request);
        if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &request) != 0) {
            if (errno == EINTR)
                continue;
            return;
        }
        char path[256];
        read_path((pid_t)request.pid, request.data.args[1], path, sizeof path);
        memset(&reply, 0, sizeof reply);
        reply.id = request.id;
        if (path_allowed(path))
            reply.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
        else
            reply.error = -EACCES;
        ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &reply);
    }
}

int main(void)
{
    int ends[2], status = 0;
    load_rules();
    if (socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) != 0)
        return 1;
    pid_t child = fork();
    if (child == 0) {
        int listener = guard_opens();
        if (listener < 0) {
            perror("seccomp");
            _exit(1);
        }
        send_listener(ends[1], listener);
        close(listener);
        program();
    }
    supervise(receive_listener(ends[0]));
    waitpid(child, &status, 0);
    return WEXITSTATUS(status);
}
