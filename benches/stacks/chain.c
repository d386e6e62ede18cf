// Known call chains in C: main → turn_0 … turn_7 → bottom_N, where bit k % 3 of N says whether turn k is to the left
// or to the right. Every bottom computes in the C library and waits. With -DLARGE_FRAME,
// turn_8 has a frame of 100 KB; with -DLARGE_FRAMES, each turn to the left has.
#define _GNU_SOURCE
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define KEEP __attribute__((noinline, noclone))
static volatile unsigned long sink;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int compare(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

static KEEP void compute(unsigned seed) {
  enum { COUNT = 3000 };
  int *numbers = malloc(COUNT * sizeof *numbers);
  for (int i = 0; i < COUNT; i++) numbers[i] = (int)((seed += 0x9e3779b9) >> 7);
  qsort(numbers, COUNT, sizeof *numbers, compare);
  char text[64];
  for (int i = 0; i < 600; i++) {
    snprintf(text, sizeof text, "%d %.6f %s", numbers[i], sqrt(fabs((double)numbers[i])), "text");
    sink += strlen(text) + (unsigned long)strtod(text, NULL);
    char *copy = strdup(text);
    free(copy);
  }
  free(numbers);
}

static KEEP void wait_a_little(unsigned n) {
  struct timespec time = {0, 700000};
  if (n % 2) {
    pthread_mutex_lock(&lock);
    nanosleep(&time, NULL);
    pthread_mutex_unlock(&lock);
  } else {
    nanosleep(&time, NULL);
  }
  sink += n;
}

#define BOTTOM(n)                                                                                                      \
  static KEEP void bottom_##n(void) {                                                                                  \
    compute(n + (unsigned)sink);                                                                                       \
    wait_a_little(n);                                                                                                  \
    sink++;                                                                                                            \
  }
BOTTOM(0) BOTTOM(1) BOTTOM(2) BOTTOM(3) BOTTOM(4) BOTTOM(5) BOTTOM(6) BOTTOM(7)

/* Most of this room is never touched, so it has no memory. */
#define ROOM                                                                                                           \
  volatile char room[100 << 10];                                                                                       \
  room[n] = 1;                                                                                                         \
  room[sizeof room - 1 - n] = 1;
#ifdef LARGE_FRAME
#define ONE ROOM
#else
#define ONE
#endif
#ifdef LARGE_FRAMES
#define MANY ROOM
#else
#define MANY
#endif

static KEEP void turn_8(unsigned n) {
  static void (*const bottoms[])(void) = {bottom_0, bottom_1, bottom_2, bottom_3, bottom_4, bottom_5, bottom_6, bottom_7};
  ONE bottoms[n]();
  sink++;
}
#define TURN(k, next)                                                                                                  \
  static KEEP void left_##k(unsigned n) {                                                                              \
    MANY next(n);                                                                                                      \
    sink += 2 * k + 1;                                                                                                 \
  }                                                                                                                    \
  static KEEP void right_##k(unsigned n) {                                                                             \
    next(n);                                                                                                           \
    sink += 2 * k + 2;                                                                                                 \
  }                                                                                                                    \
  static inline __attribute__((always_inline)) void turn_##k(unsigned n) {                                             \
    if (n >> (k % 3) & 1) right_##k(n);                                                                                \
    else left_##k(n);                                                                                                  \
  }
TURN(7, turn_8) TURN(6, turn_7) TURN(5, turn_6) TURN(4, turn_5) TURN(3, turn_4) TURN(2, turn_3) TURN(1, turn_2)
TURN(0, turn_1)

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void *work(void *until) {
  for (unsigned n = 0; now() < *(double *)until; n++) turn_0(n % 8);
  return NULL;
}

int main(int argc, char **argv) {
  double until = now() + (argc > 1 ? atof(argv[1]) : 1);
  pthread_t thread;
  pthread_create(&thread, NULL, work, &until);
  work(&until);
  pthread_join(thread, NULL);
  return 0;
}
