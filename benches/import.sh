#!/usr/bin/env bash
# Import speed beside the peers, in one run, on one perf.data file.
#
#   benches/import.sh FILE.data        (RUNS=5)
#
# Without a file, it records a busy system for 40 s first, as root: samples, switches, wake-ups,
# system calls and block I/O while a compiler and a file creator run.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/measure.sh"
whyslow=${WHYSLOW:-$here/../target/release/whyslow}
file=${1:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ -z "$file" ]; then
  file=$work/busy.perf.data
  (
    end=$((SECONDS + 40))
    while [ $SECONDS -lt $end ]; do
      mkdir "$work/files"
      for i in $(seq 2000); do : >"$work/files/$i"; done
      echo 'int main(){return 0;}' | cc -O2 -x c -o "$work/a.out" - 2>/dev/null || true
      rm -rf "$work/files"
      sleep 0.05
    done
  ) &
  perf record -q -a -g -m 8M -o "$file" \
    -e cpu-clock/freq=997/ -e sched:sched_switch -e sched:sched_waking \
    -e syscalls:sys_enter_openat --exclude-perf -e syscalls:sys_exit_openat --exclude-perf \
    -e syscalls:sys_enter_close --exclude-perf -e syscalls:sys_exit_close --exclude-perf \
    -e block:block_rq_issue -e block:block_rq_complete -- sleep 40
  wait
fi

size=$(stat -c %s "$file")
echo "$((size / 1000000)) MB: $(basename "$file")"
heading program
BEFORE="rm -rf '$work/x.whyslow'"
measure 'whyslow extract' "$whyslow" extract "$file" -o "$work/x.whyslow"
ours=$cpu_s
extract=$(du -sb "$work/x.whyslow" | cut -f1)
BEFORE=
measure 'whyslow extract --inlined' "$whyslow" extract "$file" --inlined --force -o "$work/x.whyslow"
if command -v perf >/dev/null; then
  measure 'perf script --no-inline' perf script --no-inline -i "$file"
  script=$cpu_s
  RUNS=1 runs=1 measure 'perf report -g' perf report --stdio -g -i "$file"
fi
command -v samply >/dev/null && measure 'samply import' samply import --save-only -o "$work/s.json" "$file"
command -v hotspot-perfparser >/dev/null &&
  measure 'hotspot-perfparser' hotspot-perfparser --input "$file" --output "$work/h.out"
echo
echo "extract: $extract bytes, $(awk "BEGIN{printf \"%.1f\", 100*$extract/$size}") % of the file"
[ -z "${script:-}" ] || echo "perf script / whyslow: $(awk "BEGIN{printf \"%.1f\", $script/$ours}") times"
