/* The barest loop that creates files, to compare the lab's with: openat and close per file, names as the
   lab's. gcc -O2 loop.c -o loop

   loop plain DIR COUNT   one reading of the clock before and one after; prints ns for all
   loop timed DIR COUNT   one reading per file, kept in memory that was touched before; prints ns for all
   loop empty DIR COUNT   the same around nothing: the least that timing can cost; prints ns for all */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void create(int dir, char *name, unsigned long number) {
  for (int at = 13; at >= 5; at--, number /= 10) name[at] = (char)('0' + number % 10);
  int file = openat(dir, name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0644);
  if (file < 0 || close(file) < 0) {
    perror(name);
    exit(1);
  }
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  int plain = !strcmp(argv[1], "plain"), empty = !strcmp(argv[1], "empty");
  int dir = open(argv[2], O_DIRECTORY | O_RDONLY);
  unsigned long count = strtoul(argv[3], NULL, 10);
  struct { uint64_t start, duration, rest; } *log = malloc(count * sizeof *log + 1);
  char name[] = "w000-000000000";
  if (dir < 0 || !log) return 1;
  memset(log, 1, count * sizeof *log);
  uint64_t begin = now(), start = begin;
  for (unsigned long at = 0; at < count; at++) {
    if (!empty) create(dir, name, at);
    if (plain) continue;
    uint64_t end = now();
    log[at].start = start;
    log[at].duration = end - start;
    start = end;
  }
  printf("%llu\n", (unsigned long long)(now() - begin));
  return 0;
}
