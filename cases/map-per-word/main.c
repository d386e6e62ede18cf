/* Checks the spelling of a text against a list of words that is sorted, in records of 16 bytes. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define RECORD 16
#define WORDS 400000

static unsigned long checked, wrong;
static double in_look_up;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static void word_of(char *word, unsigned number)
{
    memset(word, 0, RECORD);
    snprintf(word, RECORD, "word%08u", number);
}

static void make_list(const char *path)
{
    char word[RECORD];
    FILE *out = fopen(path, "w");
    for (unsigned n = 0; n < WORDS; n++) {
        word_of(word, n * 3);
        fwrite(word, 1, RECORD, out);
    }
    fclose(out);
}

static int compare(const void *word, const void *record)
{
    return memcmp(word, record, RECORD);
}

static int look_up(const char *path, const char *word)
{
    struct stat status;
    int file = open(path, O_RDONLY);
    if (file < 0 || fstat(file, &status) != 0)
        exit(1);
    char *list = mmap(NULL, status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (list == MAP_FAILED)
        exit(1);
    int found = bsearch(word, list, status.st_size / RECORD, RECORD, compare) != NULL;
    munmap(list, status.st_size);
    close(file);
    return found;
}

static unsigned next_word(unsigned seed)
{
    return (seed * 1103515245u + 12345u) & 0x7fffffff;
}

static void check_line(unsigned line, unsigned char *marks)
{
    char word[RECORD];
    unsigned seed = line * 2654435761u;
    for (int n = 0; n < 12; n++) {
        seed = next_word(seed);
        word_of(word, seed % (WORDS * 3));
        double before = now();
        int known = look_up("words.dat", word);
        in_look_up += now() - before;
        marks[n] = known ? ' ' : '^';
        wrong += !known;
        checked++;
    }
}

int main(void)
{
    make_list("words.dat");
    FILE *out = fopen("marks.txt", "w");
    unsigned char marks[13] = {0};
    marks[12] = '\n';
    double start = now();
    for (unsigned line = 0; now() - start < 2.1; line++) {
        check_line(line, marks);
        fwrite(marks, 1, sizeof marks, out);
    }
    fclose(out);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "checked %lu\nwrong %lu\nlook_up %.3f\nminor_faults %ld\nsystem_s %.2f\n", checked, wrong,
            in_look_up / (now() - start), usage.ru_minflt, usage.ru_stime.tv_sec + usage.ru_stime.tv_usec / 1e6);
    fclose(truth);
    return 0;
}
