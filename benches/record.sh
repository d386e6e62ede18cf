#!/usr/bin/env bash
# What recording costs: a program that creates 100,000 files, alone, under `whyslow record` and
# under `perf record` with the same events. As root.
#
#   benches/record.sh [DIR]            (RUNS=5, FILES=100000)
#
# The programs take turns, so that a busy moment of the machine hits all alike. The program tells its
# own CPU and wall time; what the whole used beyond that is the recorder's. A row is of one turn, that in
# which the program used the least CPU; the ratio is the median of the ratios to the program alone in the
# same turn, with the least and the largest. A turn that fails counts for nothing.
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
#include <time.h>
#include <unistd.h>
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + t.tv_nsec / 1e9; }
int main(int argc, char **argv) {
  char path[64];
  int n = atoi(argv[1]);
  double start = now();
  for (int i = 0; i < n; i++) { snprintf(path, sizeof path, "f%07d", i); close(open(path, O_CREAT | O_WRONLY, 0644)); }
  double wall = now() - start;
  struct rusage u; getrusage(RUSAGE_SELF, &u);
  FILE *f = fopen(argv[2], "w");
  fprintf(f, "%.3f %.3f\n", u.ru_utime.tv_sec + u.ru_utime.tv_usec / 1e6 + u.ru_stime.tv_sec + u.ru_stime.tv_usec / 1e6, wall);
  fclose(f);
  return 0;
}
C
cc -O2 -o "$work/mkfiles" "$work/mkfiles.c"

# once NAME COMMAND…: appends "turn, program's CPU, its wall, recorder's CPU, bytes" to $work/NAME.runs.
once() {
  local name=$1 program wall user sys; shift
  rm -rf "$work/dir" "$work/$name.data" "$work/cpu"; mkdir "$work/dir"; sync
  (cd "$work/dir" && /usr/bin/time -f '%U %S' -o "$work/time" "$@" "$work/mkfiles" "$files" "$work/cpu" \
    >/dev/null 2>"$work/$name.err") || { echo "failed: $name" >&2; cat "$work/$name.err" >&2; return 0; }
  read -r program wall <"$work/cpu"
  read -r user sys <<<"$(tail -n 1 "$work/time")"
  echo "$turn $program $wall $(awk "BEGIN{printf \"%.3f\", $user+$sys-$program}") $(stat -c %s "$work/$name.data" 2>/dev/null || echo 0)" >>"$work/$name.runs"
}

events=(-e cpu-clock/freq=997/ -e sched:sched_switch -e sched:sched_waking -e sched:sched_wakeup_new)
for turn in $(seq "$runs"); do
  once none env
  once whyslow "$whyslow" record -o "$work/whyslow.data" --
  once whyslow-bare "$whyslow" record --no-bpf --stack-size 0 -o "$work/whyslow-bare.data" --
  command -v perf >/dev/null || continue
  once perf perf record -q -B -a -g -m 8M -o "$work/perf.data" "${events[@]}" --
  once perf-dumps perf record -q -B -a --call-graph dwarf,16384 -m 8M -o "$work/perf-dumps.data" "${events[@]}" --
done

# row LABEL NAME
row() {
  [ -f "$work/$2.runs" ] || return 0
  local cpu wall own bytes
  read -r _ cpu wall own bytes <<<"$(sort -g -k 2 "$work/$2.runs" | head -n 1)"
  # The CPU time of the program in each turn, by that of the program alone in the same turn.
  awk 'NR == FNR {alone[$1] = $2; next} alone[$1] > 0 {print $2 / alone[$1]}' "$work/none.runs" "$work/$2.runs" |
    sort -g | awk -v label="$1" -v cpu="$cpu" -v wall="$wall" -v own="$own" -v bytes="$bytes" '
      {ratio[NR] = $1}
      END {
        median = NR % 2 ? ratio[(NR + 1) / 2] : (ratio[NR / 2] + ratio[NR / 2 + 1]) / 2
        printf "| %-34s | %7.3f | %7.3f | %8.3f | %6.1f | %.2f (%.2f to %.2f; %d) |\n", \
          label, cpu, wall, own, bytes / 1e6, median, ratio[1], ratio[NR], NR
      }'
}
[ -f "$work/none.runs" ] || { echo "the program alone failed every time"; exit 1; }
echo "$files files, $runs turns"
echo '| recorder                           | CPU s   | wall s  | own CPU  |     MB | ratio of CPU (spread; turns) |'
echo '|------------------------------------|--------:|--------:|---------:|-------:|------------------------------|'
row none none
row '`whyslow record`' whyslow
row '`whyslow record`, no user stacks' whyslow-bare
row '`perf record -g`, kernel stacks' perf
row '`perf record`, dumps of 16 KB' perf-dumps
cat "$work/whyslow.err"
