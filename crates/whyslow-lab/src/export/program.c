/* @ABOUT@: the experiment of
 *     whyslow lab @COMMAND@
 * as one program, for a machine without Whyslow. It needs a C compiler and nothing else:
 *     cc -O2 -o @CASE@ @CASE@.c          Linux, macOS, BSD
 *     cl /O2 @CASE@.c                    Windows, Visual C++
 *     gcc -O2 -o @CASE@.exe @CASE@.c     Windows, MinGW
 *
 * Start it as: @CASE@ [DIRECTORY [WORKER]]
 * It makes DIRECTORY if it is missing, touches only files that it made, and removes them at the end.
 * For several processes at once start it with WORKER 0, 1, 2 ... at the same time, all with one DIRECTORY.
 *
 * It writes every operation to @CASE@.csv (of worker 1: @CASE@-1.csv) in the current directory.
 * Take that file to a machine with Whyslow: whyslow lab law @CASE@.csv
 */
#define DIRECTORY "@DIR@"
#define COUNT @COUNT@LL /* operations */
#define BUDGET_NS (@BUDGET@ * 1000000000LL) /* a series ends after this time */
@if create rename stat open list
#define PREFILL @PREFILL@LL /* files that are made before, not timed */
@end
@if stat open list
#define STEP @STEP@LL /* files that are made between, not timed, each time the directory grows */
@end
@if write
#define FILE_BYTES @SIZE@LL /* bytes of a file */
@end

#ifndef _WIN32
#define _POSIX_C_SOURCE 200809L
#endif
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#include <windows.h>
#else
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#endif

static const char *directory = DIRECTORY;
static int worker;
@if create rename stat open list write
static long long files; /* how many there are */
@end
static volatile sig_atomic_t stopped;

static void stop(int signal) { (void)signal; stopped = 1; }

/* Fails with what the system says. */
static int failed(const char *what, const char *path) {
#ifdef _WIN32
    fprintf(stderr, "cannot %s %s: error %lu\n", what, path, GetLastError());
#else
    fprintf(stderr, "cannot %s %s: %s\n", what, path, strerror(errno));
#endif
    return 0;
}

/* Nanoseconds of a clock that never goes back. */
static long long now_ns(void) {
#ifdef _WIN32
    LARGE_INTEGER ticks, per_second;
    QueryPerformanceCounter(&ticks);
    QueryPerformanceFrequency(&per_second);
    return ticks.QuadPart / per_second.QuadPart * 1000000000LL +
           ticks.QuadPart % per_second.QuadPart * 1000000000LL / per_second.QuadPart;
#else
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
#endif
}

@if create rename stat open list write
/* The path of a file; kind is w, or r for renamed ones. */
static const char *path_by(int who, char kind, long long number) {
    static char paths[2][4200];
    static int next;
    char *path = paths[next ^= 1];
    snprintf(path, sizeof paths[0], "%s/%c%09lld-%03d", directory, kind, number, who);
    return path;
}
static const char *path_of(char kind, long long number) { return path_by(worker, kind, number); }
@if create stat open list
/* The path of a file that is there before: its name begins like those of the others. */
static const char *path_before(long long number) { return path_by(worker + 500, 'w', number); }
@end
@if rename
/* The path of a file that is there before: its name begins like those of the others. */
static const char *path_before(long long number) { return path_by(worker + 500, 'r', number); }
@end

@end
@if create rename stat open list
/* Makes an empty file that is not there yet, and closes it. */
static int make(const char *path) {
#ifdef _WIN32
    HANDLE file = CreateFileA(path, GENERIC_WRITE, 0, NULL, CREATE_NEW, FILE_ATTRIBUTE_NORMAL, NULL);
    if (file == INVALID_HANDLE_VALUE) return failed("create", path);
    CloseHandle(file);
#else
    int file = open(path, O_CREAT | O_EXCL | O_WRONLY, 0644);
    if (file < 0) return failed("create", path);
    close(file);
#endif
    files++;
    return 1;
}

@end
static int delete_file(const char *path) {
#ifdef _WIN32
    return DeleteFileA(path) ? 1 : failed("delete", path);
#else
    return unlink(path) == 0 ? 1 : failed("delete", path);
#endif
}

@if create
/* One operation: create a file and close it. n: files in the directory. */
static int operation(long long at) { return make(path_of('w', at)); }
static long long size(long long at) { (void)at; return files; }

/* The second series: delete the files in the order in which they were made. n: deleted files. */
static int deletion(long long at) { return delete_file(path_of('w', at)); }
static long long deleted(long long at) { return at + 1; }
@end
@if rename
/* One operation: create a file, close it, rename it. n: files in the directory. */
static int operation(long long at) {
    const char *old = path_of('w', at), *new = path_of('r', at);
    if (!make(old)) return 0;
#ifdef _WIN32
    if (MoveFileA(old, new)) return 1;
#else
    if (rename(old, new) == 0) return 1;
#endif
    failed("rename", old);
    delete_file(old);
    return 0;
}
static long long size(long long at) { (void)at; return files; }
@end
@if stat open
/* One of the files that are there, scattered. */
static long long made;
static long long any(long long at) {
    unsigned long long mixed = (unsigned long long)at * 0x9e3779b97f4a7c15ULL;
    return (long long)((mixed ^ (mixed >> 29)) % (unsigned long long)made);
}
/* Before each STEP operations, not timed: as many more files. */
static int grow(long long at) {
    if (at % STEP == 0)
        for (long long file = 0; file < STEP; file++)
            if (!make(path_of('w', made++))) return 0;
    return 1;
}
static long long size(long long at) { (void)at; return files; }
@end
@if stat
/* One operation: read the status of a file. n: files in the directory. */
static int operation(long long at) {
    const char *path = path_of('w', any(at));
#ifdef _WIN32
    WIN32_FILE_ATTRIBUTE_DATA status;
    return GetFileAttributesExA(path, GetFileExInfoStandard, &status) ? 1 : failed("stat", path);
#else
    struct stat status;
    return stat(path, &status) == 0 ? 1 : failed("stat", path);
#endif
}
@end
@if open
/* One operation: open a file and close it. n: files in the directory. */
static int operation(long long at) {
    const char *path = path_of('w', any(at));
#ifdef _WIN32
    HANDLE file = CreateFileA(path, GENERIC_READ, FILE_SHARE_READ, NULL, OPEN_EXISTING, 0, NULL);
    if (file == INVALID_HANDLE_VALUE) return failed("open", path);
    CloseHandle(file);
#else
    int file = open(path, O_RDONLY);
    if (file < 0) return failed("open", path);
    close(file);
#endif
    return 1;
}
@end
@if list
/* Before each operation, not timed: STEP more files. */
static long long made;
static int grow(long long at) {
    (void)at;
    for (long long file = 0; file < STEP; file++)
        if (!make(path_of('w', made++))) return 0;
    return 1;
}
/* One operation: list the directory. n: files in the directory. */
static int operation(long long at) {
    long long entries = 0;
    (void)at;
#ifdef _WIN32
    char pattern[4200];
    WIN32_FIND_DATAA found;
    snprintf(pattern, sizeof pattern, "%s/*", directory);
    HANDLE list = FindFirstFileA(pattern, &found);
    if (list == INVALID_HANDLE_VALUE) return failed("list", directory);
    do entries++; while (FindNextFileA(list, &found));
    FindClose(list);
#else
    DIR *list = opendir(directory);
    if (!list) return failed("list", directory);
    while (readdir(list)) entries++;
    closedir(list);
#endif
    return entries > 0;
}
static long long size(long long at) { (void)at; return files; }
@end
@if reopen
/* One operation: open the file of settings, read the block with one of them, close it. n: settings read. */
static char settings[4200];
static int operation(long long at) {
    char block[4096];
    long long offset = at * 32 / 4096 * 4096;
#ifdef _WIN32
    DWORD got;
    HANDLE file = CreateFileA(settings, GENERIC_READ, FILE_SHARE_READ, NULL, OPEN_EXISTING, 0, NULL);
    if (file == INVALID_HANDLE_VALUE) return failed("open", settings);
    SetFilePointer(file, (LONG)offset, NULL, FILE_BEGIN);
    int read_it = ReadFile(file, block, sizeof block, &got, NULL) && got > 0;
    CloseHandle(file);
#else
    int file = open(settings, O_RDONLY);
    if (file < 0) return failed("open", settings);
    int read_it = pread(file, block, sizeof block, offset) > 0;
    close(file);
#endif
    return read_it ? 1 : failed("read", settings);
}
static long long size(long long at) { return at + 1; }
@end
@if write
/* One operation: write a file of FILE_BYTES bytes, 4096 at a time, and close it. n: files written. */
static int operation(long long at) {
    static char block[4096];
    const char *path = path_of('w', at);
    FILE *file = fopen(path, "wbx");
    if (!file) return failed("create", path);
    setvbuf(file, NULL, _IONBF, 0);
    int whole = 1;
    for (long long left = FILE_BYTES; left > 0 && whole; left -= sizeof block) {
        size_t part = left < (long long)sizeof block ? (size_t)left : sizeof block;
        whole = fwrite(block, 1, part, file) == part;
    }
    if (fclose(file) != 0 || !whole) return failed("write", path);
    files++;
    return 1;
}
static long long size(long long at) { return at + 1; }
@end

/* Times operations one by one, then writes the log; returns how many succeeded. */
static long long series(const char *name, long long count, int (*prepare)(long long),
                        int (*run)(long long), long long (*n)(long long)) {
    char log_name[64];
    long long *log = malloc((size_t)(count + 1) * 2 * sizeof *log), done = 0;
    snprintf(log_name, sizeof log_name, worker ? "%s-%d.csv" : "%s.csv", name, worker);
    FILE *out = fopen(log_name, "w");
    if (!log || !out) { failed("write", log_name); exit(1); }
    memset(log, 1, (size_t)(count + 1) * 2 * sizeof *log); /* so that no operation pays for it */
    long long end = now_ns() + BUDGET_NS;
    while (done < count && !stopped && now_ns() < end) {
        if (prepare && !prepare(done)) break;
        long long start = now_ns();
        int succeeded = run(done);
        log[2 * done + 1] = now_ns() - start;
        if (!succeeded) break;
        log[2 * done] = n(done);
        done++;
    }
    fprintf(out, "n,duration_ns\n");
    for (long long at = 0; at < done; at++) fprintf(out, "%lld,%lld\n", log[2 * at], log[2 * at + 1]);
    if (fclose(out) != 0) { failed("write", log_name); exit(1); }
    printf("%s: %lld of %lld operations, in %s\n", name, done, count, log_name);
    free(log);
    return done;
}

int main(int argc, char **argv) {
    if (argc > 1) directory = argv[1];
    if (argc > 2) worker = atoi(argv[2]);
    signal(SIGINT, stop);
#ifdef _WIN32
    CreateDirectoryA(directory, NULL);
#else
    mkdir(directory, 0755);
#endif
@if create rename stat open list
    while (files < PREFILL && !stopped && make(path_before(files))) {}
    long long before = files;
    if (before < PREFILL) stopped = 1; /* nothing is timed then */
@end
@if reopen
    snprintf(settings, sizeof settings, "%s/settings-%03d.ini", directory, worker);
    FILE *file = fopen(settings, "wbx");
    if (!file) { failed("create", settings); return 1; }
    for (long long at = 0; at < COUNT; at++) fprintf(file, "setting%06lld=%-16lld\r\n", at % 1000000, at);
    fclose(file);
@end
@if create
    long long done = series("create", COUNT, NULL, operation, size);
    series("delete", done, NULL, deletion, deleted);
@end
@if rename
    long long done = series("rename", COUNT, NULL, operation, size);
    for (long long at = 0; at < done; at++) delete_file(path_of('r', at));
@end
@if stat open
    series("@CASE@", COUNT, grow, operation, size);
    for (long long at = 0; at < made; at++) delete_file(path_of('w', at));
@end
@if list
    series("list", COUNT / STEP, grow, operation, size);
    for (long long at = 0; at < made; at++) delete_file(path_of('w', at));
@end
@if reopen
    series("reopen", COUNT, NULL, operation, size);
    delete_file(settings);
@end
@if write
    long long done = series("write", COUNT, NULL, operation, size);
    for (long long at = 0; at < done; at++) delete_file(path_of('w', at));
@end
@if create rename stat open list
    for (long long at = 0; at < before; at++) delete_file(path_before(at));
@end
    /* It stays if others have files there. */
#ifdef _WIN32
    RemoveDirectoryA(directory);
#else
    rmdir(directory);
#endif
    return 0;
}
