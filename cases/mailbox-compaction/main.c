/* Delivers mails to a mailbox in one file, which is locked meanwhile. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double waited;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static void set_lock(int box, short type)
{
    struct flock lock = {.l_type = type, .l_whence = SEEK_SET};
    if (fcntl(box, F_SETLKW, &lock) != 0) {
        perror("fcntl");
        exit(1);
    }
}

__attribute__((noinline)) static void lock_mailbox(int box)
{
    double before = now();
    set_lock(box, F_WRLCK);
    waited += now() - before;
}

__attribute__((noinline)) static void deliver_mail(int box, int number)
{
    char mail[600];
    int length = snprintf(mail, sizeof mail, "From shop%d@example.test\nSubject: Your order %d\n\nIt is on its way.\n\n", number % 7, number);
    lock_mailbox(box);
    lseek(box, 0, SEEK_END);
    if (write(box, mail, length) != length)
        perror("write");
    set_lock(box, F_UNLCK);
}

int main(void)
{
    int box = open("inbox.mbox", O_RDWR | O_CREAT, 0644);
    double start = now();
    int mails = 0;
    while (now() - start < 2) {
        deliver_mail(box, mails++);
        usleep(2000);
    }
    double all = now() - start;
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "waited %.3f\nmails %d\n", waited / all, mails);
    fclose(truth);
    return 0;
}
