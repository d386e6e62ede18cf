/* A mail reader. It often cleans its mailbox: duplicates are searched for while the file is locked. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define MAILS 12000

static unsigned checksums[MAILS];

static void set_lock(int box, short type)
{
    struct flock lock = {.l_type = type, .l_whence = SEEK_SET};
    fcntl(box, F_SETLKW, &lock);
}

/* Compares each mail with all others. */
__attribute__((noinline)) static int find_duplicates(unsigned round)
{
    int found = 0;
    for (int n = 0; n < MAILS; n++)
        checksums[n] = (n + round) * 2654435761u;
    for (int a = 0; a < MAILS; a++)
        for (int b = a + 1; b < MAILS; b++) {
            unsigned mixed = checksums[a] ^ checksums[b];
            found += mixed % 7919 == 0 && mixed % 31 == round % 31;
        }
    return found;
}

__attribute__((noinline)) static int clean_mailbox(int box, unsigned round)
{
    set_lock(box, F_WRLCK);
    int found = find_duplicates(round);
    set_lock(box, F_UNLCK);
    return found;
}

int main(void)
{
    int box = open("inbox.mbox", O_RDWR | O_CREAT, 0644);
    fclose(fopen("ready", "w"));
    unsigned found = 0;
    for (unsigned round = 0; round < 100; round++) {
        found += clean_mailbox(box, round);
        usleep(20000);
    }
    return found == 1;
}
