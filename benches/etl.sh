#!/usr/bin/env bash
# How fast ETW traces are walked in order of time, every header looked at.
#
#   benches/etl.sh DIR        (RUNS=5; DIR holds real traces, see CONTRIBUTING.md)
#
# The largest traces are read as often as it takes for 500 MB.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/measure.sh"
dir=${1:-${WHYSLOW_DATA:?folder of real traces}/etl}
cargo build -q --release -p whyslow-etl --example walk --manifest-path "$here/../Cargo.toml"
walk=${CARGO_TARGET_DIR:-$here/../target}/release/examples/walk

for trace in etwanalyzer/TraceLoggingTester.etl perfview/diaghub.kernel.1.etl \
  perfview/diaghub.user_paged.1.etl perfview/net.4.5.2.x64.etl perfview/net.4.5.2.x86.etl; do
  file=$dir/$trace
  [ -f "$file" ] || { echo "skipped: no $file"; continue; }
  size=$(stat -c %s "$file")
  times=$(((500000000 + size - 1) / size))
  files=()
  for _ in $(seq "$times"); do files+=("$file"); done
  events=$("$walk" "$file" | awk '/ events, .* bytes/{print $3}')
  heading "$(basename "$trace") x $times"
  measure 'walk' "$walk" "${files[@]}"
  awk "BEGIN{c=$cpu_s; printf \"%.0f MB/s of file, %.0f MB/s of events (CPU time)\n\", \
    $size*$times/1e6/c, $events*$times/1e6/c}"
  if python3 -c 'import dissect.etl' 2>/dev/null; then
    RUNS=1 runs=1 measure 'dissect.etl, once' python3 -c "
import sys
from dissect.etl import ETL
for _ in ETL(open(sys.argv[1], 'rb')): pass" "$file"
    awk "BEGIN{printf \"%.1f MB/s of file\n\", $size/1e6/$cpu_s}"
  fi
  if python3 -c 'import etl' 2>/dev/null; then
    RUNS=1 runs=1 measure 'etl-parser, once' python3 -c "
import sys
from etl.etl import IEtlFileObserver, build_from_stream
class Nothing(IEtlFileObserver):
    def on_system_trace(self, event): pass
    def on_perfinfo_trace(self, event): pass
    def on_trace_record(self, event): pass
    def on_event_record(self, event): pass
    def on_win_trace(self, event): pass
build_from_stream(open(sys.argv[1], 'rb').read()).parse(Nothing())" "$file"
    awk "BEGIN{printf \"%.1f MB/s of file\n\", $size/1e6/$cpu_s}"
  fi
  echo
done
