#!/usr/bin/env bash
# What recording costs those who make system calls: a loop of one-byte preads, one that creates and closes
# empty files in memory and on a disk, and two processes on one CPU that pass a byte to and fro. As root.
#
#   benches/syscalls.sh                (RUNS=6, CALLS=1000000, FILES=20000, DISK_FILES=100000, TRIPS=60000, DISK=target)
#
# The recordings take turns, so that a busy moment of the machine hits all alike. The program tells its
# own CPU time per round of its loop; the least of all turns is printed, and its ratio to that of the
# program alone. With PEERS=1 also beside `perf trace -s` and `strace -c`, with a tenth of the calls, where
# they are installed.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
whyslow=${WHYSLOW:-$here/../target/release/whyslow}
work=$(mktemp -d -p /dev/shm)
disk=$(mktemp -d -p "${DISK:-$here/../target}")
trap 'rm -rf "$work" "$disk"' EXIT
modes="none no-syscalls default exact-call-times"
if [ -n "${PEERS:-}" ]; then
  if command -v perf >/dev/null; then modes+=" perf-trace"; fi
  if command -v strace >/dev/null; then modes+=" strace"; fi
fi

cat >"$work/calls.c" <<'C'
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
static double cpu(int who) {
  struct rusage u; getrusage(who, &u);
  return u.ru_utime.tv_sec + u.ru_stime.tv_sec + (u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}
/* Passes a byte on when it comes. */
static int pass(int from, int to, int n) {
  char byte = 0;
  while (n--) if (read(from, &byte, 1) != 1 || write(to, &byte, 1) != 1) return 1;
  return 0;
}
static int trips(int n) {
  int there[2], back[2];
  cpu_set_t set;
  CPU_ZERO(&set); CPU_SET(0, &set); sched_setaffinity(0, sizeof set, &set);
  if (pipe(there) || pipe(back)) return 1;
  if (!fork()) _exit(pass(there[0], back[1], n));
  if (write(there[1], "", 1) != 1 || pass(back[0], there[1], n - 1)) return 1;
  char byte;
  return read(back[0], &byte, 1) != 1 || wait(NULL) < 0;
}
int main(int argc, char **argv) {
  char path[64], byte;
  int kind = argv[1][0], n = atoi(argv[2]), file = open(argv[0], O_RDONLY);
  double start = cpu(RUSAGE_SELF);
  if (kind == 't') { if (trips(n)) return 1; }
  else for (int i = 0; i < n; i++) {
    if (kind == 'p') { if (pread(file, &byte, 1, 0) != 1) return 1; continue; }
    snprintf(path, sizeof path, "f%07d", i);
    close(open(path, O_CREAT | O_WRONLY, 0600));
  }
  FILE *out = fopen(argv[3], "a");
  fprintf(out, "%.0f\n", (cpu(RUSAGE_SELF) + cpu(RUSAGE_CHILDREN) - start) / n * 1e9);
  return fclose(out);
}
C
cc -O2 -o "$work/calls" "$work/calls.c"

record() { "$whyslow" record --force -o "$work/x.data" "$@" >"$work/log" 2>&1; }

# once KIND COUNT FOLDER: one turn of all. Nothing is removed meanwhile: for some time ext4 does not use the
# numbers of removed files again, and looks for one that it may use for longer than all else takes.
turn=0
once() {
  local mode tell few=$(($2 / 10))
  for mode in $modes; do
    turn=$((turn + 1)); mkdir "$3/$turn"; cd "$3/$turn"
    tell=$work/$1.$mode
    case $mode in
      none) "$work/calls" "$1" "$2" "$tell" ;;
      default) record "$work/calls" "$1" "$2" "$tell" ;;
      perf-trace) perf trace -s -o "$work/log" "$work/calls" "$1" "$few" "$tell" ;;
      strace) strace -c -f -o "$work/log" "$work/calls" "$1" "$few" "$tell" ;;
      *) record "--$mode" "$work/calls" "$1" "$2" "$tell" ;;
    esac
  done
}

for _ in $(seq "${RUNS:-6}"); do
  once pread "${CALLS:-1000000}" "$work"
  once open "${FILES:-20000}" "$work"
  once disk "${DISK_FILES:-100000}" "$disk"
  once trips "${TRIPS:-60000}" "$work"
done
echo "least CPU time per round, in ns, and its ratio:"
for kind in pread open disk trips; do
  alone=$(sort -n "$work/$kind.none" | head -1)
  for mode in $modes; do
    least=$(sort -n "$work/$kind.$mode" | head -1)
    printf '%-6s %-18s %6s %5s\n' "$kind" "$mode" "$least" "$((least * 100 / alone)) %"
  done
done
