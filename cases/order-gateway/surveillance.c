/* Market surveillance: looks through the day's book for patterns, with the book locked, again and again. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

static void pause_ms(long ms)
{
    struct timespec t = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&t, NULL);
}

static void inspect_book(int book)
{
    char buffer[4096];
    flock(book, LOCK_EX);
    while (read(book, buffer, sizeof buffer) > 0)
        ;
    pause_ms(45); /* answer of the rule engine */
    flock(book, LOCK_UN);
}

int main(void)
{
    int book = open("orders.book", O_CREAT | O_RDWR, 0644);
    fclose(fopen("ready", "w"));
    for (;;) {
        inspect_book(book);
        pause_ms(1);
    }
}
