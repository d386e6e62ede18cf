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
ours=$all_s
[ -n "$ours" ] || { echo "whyslow extract failed every time"; exit 1; }
extract=$(du -sb "$work/x.whyslow" | cut -f1)
BEFORE=
measure 'whyslow extract --inlined' "$whyslow" extract "$file" --inlined --force -o "$work/x.whyslow"
ratios=()
# beside LABEL COMMAND…: another program's row, and its ratio to ours, if it is installed.
beside() {
  command -v "$2" >/dev/null || { printf '| %-34s | not installed\n' "$1"; return 0; }
  measure "$@"
  ratios+=("$(ratio "$1 / whyslow extract" "$all_s" "$ours")")
}
beside 'samply import' samply import --save-only -o "$work/s.json" "$file"
beside 'perf script --no-inline' perf script --no-inline -i "$file"
runs=1 beside 'perf report -g' perf report --stdio -g -i "$file"
beside 'hotspot-perfparser' hotspot-perfparser --input "$file" --output "$work/h.out"
echo
[ ${#ratios[@]} = 0 ] || printf '%s\n' "${ratios[@]}"
echo "extract: $extract bytes, $(awk "BEGIN{printf \"%.1f\", 100*$extract/$size}") % of the file"
