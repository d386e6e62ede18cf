#!/usr/bin/env bash
# What counting system calls costs those who make them: a loop of one-byte preads, and one that creates
# and closes empty files in memory and on a disk. As root.
#
#   benches/syscalls.sh                (RUNS=6, CALLS=1000000, FILES=20000, DISK_FILES=100000, DISK=target)
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
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>
static double cpu(void) {
  struct rusage u; getrusage(RUSAGE_SELF, &u);
  return u.ru_utime.tv_sec + u.ru_stime.tv_sec + (u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}
int main(int argc, char **argv) {
  char path[64], byte;
  int kind = argv[1][0], n = atoi(argv[2]), file = open(argv[0], O_RDONLY);
  double start = cpu();
  for (int i = 0; i < n; i++) {
    if (kind == 'p') { if (pread(file, &byte, 1, 0) != 1) return 1; continue; }
    snprintf(path, sizeof path, "f%07d", i);
    close(open(path, O_CREAT | O_WRONLY, 0600));
  }
  FILE *out = fopen(argv[3], "a");
  fprintf(out, "%.0f\n", (cpu() - start) / n * 1e9);
  return fclose(out);
}
C
cc -O2 -o "$work/calls" "$work/calls.c"

record() { "$whyslow" record --force -o "$work/x.data" "$@" >"$work/log" 2>&1; }

# once KIND COUNT FOLDER: one turn of all.
once() {
  local mode tell few=$(($2 / 10))
  for mode in $modes; do
    rm -rf "$3/dir"; mkdir "$3/dir"; cd "$3/dir"
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
done
echo "least CPU time per round, in ns, and its ratio:"
for kind in pread open disk; do
  alone=$(sort -n "$work/$kind.none" | head -1)
  for mode in $modes; do
    least=$(sort -n "$work/$kind.$mode" | head -1)
    printf '%-6s %-18s %6s %5s\n' "$kind" "$mode" "$least" "$((least * 100 / alone)) %"
  done
done
