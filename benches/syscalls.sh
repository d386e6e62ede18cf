#!/usr/bin/env bash
# What counting system calls costs those who make them: a loop of one-byte preads, and one that creates
# and closes empty files in memory. As root.
#
#   benches/syscalls.sh                (RUNS=6, CALLS=1000000, FILES=20000)
#
# The recordings take turns, so that a busy moment of the machine hits all alike. The program tells its
# own CPU time per round of its loop; the least of all turns is printed.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
whyslow=${WHYSLOW:-$here/../target/release/whyslow}
work=$(mktemp -d -p /dev/shm)
trap 'rm -rf "$work"' EXIT

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

# once KIND COUNT: one turn of all.
once() {
  local mode
  for mode in none no-syscalls default exact-call-times; do
    rm -rf "$work/dir"; mkdir "$work/dir"; cd "$work/dir"
    case $mode in
      none) "$work/calls" "$1" "$2" "$work/$1.$mode" ;;
      default) record "$work/calls" "$1" "$2" "$work/$1.$mode" ;;
      *) record "--$mode" "$work/calls" "$1" "$2" "$work/$1.$mode" ;;
    esac
  done
}

for _ in $(seq "${RUNS:-6}"); do
  once pread "${CALLS:-1000000}"
  once open "${FILES:-20000}"
done
echo "least CPU time per round, in ns:"
for kind in pread open; do
  for mode in none no-syscalls default exact-call-times; do
    printf '%-6s %-18s %s\n' "$kind" "$mode" "$(sort -n "$work/$kind.$mode" | head -1)"
  done
done
