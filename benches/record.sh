#!/usr/bin/env bash
# What recording costs: a program that creates 100,000 files, alone, under `whyslow record` and
# under `perf record` with the same events. As root.
#
#   benches/record.sh [DIR]            (RUNS=5, FILES=100000)
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/measure.sh"
whyslow=${WHYSLOW:-$here/../target/release/whyslow}
files=${FILES:-100000}
work=$(mktemp -d -p "${1:-/tmp}")
trap 'rm -rf "$work"' EXIT

cat >"$work/mkfiles.c" <<'C'
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>
int main(int argc, char **argv) {
  char path[64];
  int n = atoi(argv[1]);
  for (int i = 0; i < n; i++) { snprintf(path, sizeof path, "f%07d", i); close(open(path, O_CREAT | O_WRONLY, 0644)); }
  struct rusage u; getrusage(RUSAGE_SELF, &u);
  FILE *f = fopen(argv[2], "a");
  fprintf(f, "%.3f\n", u.ru_utime.tv_sec + u.ru_utime.tv_usec / 1e6 + u.ru_stime.tv_sec + u.ru_stime.tv_usec / 1e6);
  fclose(f);
  return 0;
}
C
cc -O2 -o "$work/mkfiles" "$work/mkfiles.c"

# The program's own CPU seconds, minimum of the runs; the directory is made anew for each.
cost() {
  local label=$1; shift
  rm -f "$work/cpu"
  for _ in $(seq "$runs"); do
    rm -rf "$work/dir"; mkdir "$work/dir"; sync
    (cd "$work/dir" && "$@" "$work/mkfiles" "$files" "$work/cpu" >/dev/null 2>"$work/err") || cat "$work/err"
  done
  best=$(sort -n "$work/cpu" | head -n 1)
  [ -n "${base:-}" ] || base=$best
  printf '| %-34s | %8s | %7s %% |\n' "$label" "$best" "$(awk "BEGIN{printf \"%+.1f\", 100*($best/$base-1)}")"
}

echo "$files files, program's CPU seconds, best of $runs"
printf '| %-34s | %8s | %9s |\n' recorder 'CPU s' more
printf '|%s|---------:|----------:|\n' '------------------------------------'
cost none env
cost 'whyslow record' "$whyslow" record -o "$work/w.data" --force --
if command -v perf >/dev/null; then
  cost 'perf record, same events, no dumps' perf record -q -a -g -m 8M -o "$work/p.data" \
    -e cpu-clock/freq=997/ -e sched:sched_switch -e sched:sched_waking -e sched:sched_wakeup_new --
  cost 'perf record, dumps of 16 KB' perf record -q -a --call-graph dwarf,16384 -m 8M -o "$work/p.data" \
    -e cpu-clock/freq=997/ -e sched:sched_switch -e sched:sched_waking -e sched:sched_wakeup_new --
fi
"$whyslow" record -o "$work/w.data" --force -- "$work/mkfiles" 1 "$work/cpu" 2>&1 | grep -i -E 'lost|cost|overhead' || true
