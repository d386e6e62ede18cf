#!/usr/bin/env bash
# How fast ETW traces are walked in order of time, every header looked at, and how fast and in how much
# memory long ones are extracted, and their events counted and listed.
#
#   benches/etl.sh DIR        (RUNS=5; DIR holds real traces, see CONTRIBUTING.md)
#
# For the walk the largest traces are read as often as it takes for 500 MB. For extracts, traces of
# SIZES megabytes (1000 5000) are made of a real one and removed again; TMPDIR must have room for them.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/measure.sh"
dir=${1:-${WHYSLOW_DATA:?folder of real traces}/etl}
root=$here/..
target=${CARGO_TARGET_DIR:-$root/target}/release
cargo build -q --release -p whyslow-etl --examples --manifest-path "$root/Cargo.toml"
cargo build -q --release -p whyslow-testkit --examples --manifest-path "$root/Cargo.toml"
cargo build -q --release -p whyslow --manifest-path "$root/Cargo.toml"
walk=$target/examples/walk
long=$(mktemp -d)
trap 'rm -rf "$long"' EXIT

# Bytes of all events of a trace, uncompressed.
event_bytes() { "$walk" "$1" | awk '/ events, .* bytes/{print $3}'; }

# rate BYTES WORDS: BYTES by $cpu_s, and by $wall_s.
rate() {
  [ -n "$cpu_s" ] || return 0
  awk "BEGIN{printf \"%.1f MB/s of %s (CPU time), %.1f (wall time)\n\", $1/1e6/$cpu_s, \"$2\", $1/1e6/$wall_s}"
}

# The Python readers, where installed, once over a file; their rate is of the file's bytes.
others() {
  if python3 -c 'import dissect.etl' 2>/dev/null; then
    runs=1 measure 'dissect.etl' python3 -c "
import sys
from dissect.etl import ETL
for _ in ETL(open(sys.argv[1], 'rb')): pass" "$1"
    rate "$(stat -c %s "$1")" 'file, dissect.etl'
  fi
  if python3 -c 'import etl' 2>/dev/null; then
    runs=1 measure 'etl-parser' python3 -c "
import sys
from etl.etl import IEtlFileObserver, build_from_stream
class Nothing(IEtlFileObserver):
    def on_system_trace(self, event): pass
    def on_perfinfo_trace(self, event): pass
    def on_trace_record(self, event): pass
    def on_event_record(self, event): pass
    def on_win_trace(self, event): pass
build_from_stream(open(sys.argv[1], 'rb').read()).parse(Nothing())" "$1"
    rate "$(stat -c %s "$1")" 'file, etl-parser'
  fi
}

for trace in etwanalyzer/TraceLoggingTester.etl perfview/diaghub.kernel.1.etl \
  perfview/diaghub.user_paged.1.etl perfview/net.4.5.2.x64.etl perfview/net.4.5.2.x86.etl; do
  file=$dir/$trace
  [ -f "$file" ] || { echo "skipped: no $file"; continue; }
  size=$(stat -c %s "$file")
  times=$(((500000000 + size - 1) / size))
  files=()
  for _ in $(seq "$times"); do files+=("$file"); done
  events=$(event_bytes "$file")
  heading "$(basename "$trace") x $times"
  measure 'walk' "$walk" "${files[@]}"
  rate $((size * times)) file
  rate $((events * times)) events
  others "$file"
  echo
done

extract() {
  heading "$2"
  BEFORE="rm -rf $long/out.whyslow" measure 'whyslow extract' \
    "${WHYSLOW:-$target/whyslow}" extract "$1" -o "$long/out.whyslow"
  rate "$(event_bytes "$1")" events
  echo
}

# events FILE: counts all events, and lists them with their fields.
events() {
  measure 'whyslow events' "${WHYSLOW:-$target/whyslow}" events "$1"
  rate "$(event_bytes "$1")" events
  runs=1 measure 'whyslow events --list, CSV' "${WHYSLOW:-$target/whyslow}" events --list --format csv "$1"
  rate "$(event_bytes "$1")" events
  echo
}

real=$dir/perfview/net.4.5.2.x64.etl
for size in ${SIZES:-1000 5000}; do
  [ -f "$real" ] || { echo "skipped: no $real"; continue; }
  "$target/examples/multiply" "$real" "$long/long.etl" "$size"
  extract "$long/long.etl" "net.4.5.2.x64 made $size MB long"
  [ "$size" -gt 1000 ] || events "$long/long.etl"
  rm -f "$long/long.etl"
done
"$target/examples/wander" "$long/switches.etl" 8 200 3000000
extract "$long/switches.etl" 'three million switches and wake-ups'
