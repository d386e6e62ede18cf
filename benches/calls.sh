#!/usr/bin/env bash
# How large the calls of a program are in an extract, and how long questions about a million rows of them take. As root.
#
#   benches/calls.sh                   (FILES=120000, RUNS=9)
#
# A program creates, asks about, opens and removes files in memory, once each. It is recorded with the default number of
# single calls, and with all of them. Times are wall times of the whole process, the least of all runs: a question begins
# with some milliseconds of starting the program and opening files.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
whyslow=${WHYSLOW:-$here/../target/release/whyslow}
work=$(mktemp -d -p /dev/shm)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat >files.c <<'C'
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
int main(int argc, char **argv) {
  char name[64], byte = 7;
  struct stat about;
  int n = atoi(argv[1]);
  for (int i = 0; i < n; i++) {
    snprintf(name, sizeof name, "d%d/f%07d.dat", i % 50, i);
    if (i < 50) { char folder[20]; snprintf(folder, sizeof folder, "d%d", i); mkdir(folder, 0700); }
    int file = open(name, O_CREAT | O_WRONLY, 0600);
    if (write(file, &byte, 1) != 1) return 1;
    close(file);
    stat(name, &about);
    file = open(name, O_RDONLY);
    if (read(file, &byte, 1) != 1) return 1;
    close(file);
    unlink(name);
  }
}
C
cc -O2 -o files-work files.c

# milliseconds COMMAND…: the least wall time.
milliseconds() {
  local least="" from to
  for _ in $(seq "${RUNS:-9}"); do
    from=$(date +%s%N); "$@" >/dev/null 2>&1; to=$(date +%s%N)
    if [ -z "$least" ] || [ $((to - from)) -lt "$least" ]; then least=$((to - from)); fi
  done
  awk -v ns="$least" 'BEGIN { printf "%.1f", ns / 1e6 }'
}

rows() { "$whyslow" "$@" --format csv 2>/dev/null | tail -n +2 | wc -l; }
size() { stat -c %s "$1" 2>/dev/null || echo 0; }

for kind in default all; do
  options=()
  [ $kind = all ] && options=(--file-list-rate 100000000 --buffer 64MiB)
  "$whyslow" record -q --force "${options[@]}" -o x.data -- ./files-work "${FILES:-120000}" 2>log
  "$whyslow" extract --force -q --no-symbols x.data -o x.whyslow >log 2>&1
  calls=$("$whyslow" files x.whyslow --process files-work --by operation --format csv --columns calls | tail -n +2 |
    tr -d '\r' | awk '{ n += $1 } END { print n }')
  single=$(rows files x.whyslow --list --columns operation)
  counted=$(rows files x.whyslow --columns operation)
  echo "$kind: $calls calls about files, $single single rows, $counted rows by process, operation, result and file"
  awk -v calls="$calls" -v single="$single" -v s="$(size x.whyslow/single_file_call.parquet)" \
    -v f="$(size x.whyslow/file_call.parquet)" -v y="$(size x.whyslow/system_call.parquet)" \
    -v n="$(size x.whyslow/file.parquet)" 'BEGIN {
      printf "  bytes per single row %.1f; per call: single rows %.1f, counts by file %.1f, counts %.1f, names of files %.1f, all %.1f\n",
        single ? s / single : 0, s / calls, f / calls, y / calls, n / calls, (s + f + y + n) / calls }'
  echo "  ms: start $(milliseconds "$whyslow" --version)," \
    "syscalls $(milliseconds "$whyslow" syscalls x.whyslow)," \
    "limits $(milliseconds "$whyslow" limits x.whyslow)," \
    "files --depth 2 $(milliseconds "$whyslow" files x.whyslow --depth 2)," \
    "files --by operation $(milliseconds "$whyslow" files x.whyslow --by operation)," \
    "files $(milliseconds "$whyslow" files x.whyslow --top 20)," \
    "files --list $(milliseconds "$whyslow" files x.whyslow --list --top 20)"
done
