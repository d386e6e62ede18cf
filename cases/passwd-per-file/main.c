// Lists a directory with the owners of the files, as often as it can in two seconds.
#include <dirent.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>

static double asking;
static long asked;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static const char *owner_name(uid_t owner) {
    double before = now();
    struct passwd *entry = getpwuid(owner);
    asking += now() - before;
    asked++;
    return entry ? entry->pw_name : "?";
}

static void list(const char *path, FILE *out) {
    struct dirent *entry;
    struct stat about;
    DIR *folder = opendir(path);
    while ((entry = readdir(folder)))
        if (fstatat(dirfd(folder), entry->d_name, &about, 0) == 0)
            fprintf(out, "%s %s\n", owner_name(about.st_uid), entry->d_name);
    closedir(folder);
}

int main(void) {
    FILE *out = fopen("/dev/null", "w");
    double start = now();
    while (now() - start < 2.0) list("home", out);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "asking %.3f\nasked %ld\n", asking / (now() - start), asked);
    fclose(truth);
}
