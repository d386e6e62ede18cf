#!/bin/bash
# What the lab's measuring costs: against a bare C loop, pinned and taking turns with it, what recording the
# machine meanwhile (--record) costs the operations, and beside other programs that create files.
# lab.sh [DIR…]; without one, memory and the current directory. SMALLFILE names the directory of smallfile_cli.py.
#
# Every turn is a burst on one CPU, at real-time priority if the system allows, and short enough not to be
# throttled for that. Figures are medians of ROUNDS turns, of ratios within a turn.

set -eu
here=$(cd "$(dirname "$0")" && pwd)
whyslow=${WHYSLOW:-$here/../target/release/whyslow}
rounds=${RUNS:-15}
count=${COUNT:-50000}
work=$(mktemp -d)
made=()
trap 'rm -rf "$work" "${made[@]}"' EXIT

gcc -O2 "$here/loop.c" -o "$work/loop"
pinned=(taskset -c 1)
chrt -f 40 true 2>/dev/null && pinned=(chrt -f 40 taskset -c 1)

median() { sort -g | awk '{v[NR]=$1} END{print NR%2 ? v[(NR+1)/2] : (v[NR/2]+v[NR/2+1])/2}'; }
value() { awk -F, -v column="$2" -v line="$3" 'NR==1{for(i=1;i<=NF;i++)if($i==column)c=i} NR==line{print $c}' <<<"$1"; }

# turn MODE: the loop in a new directory; prints ns per file.
turn() {
  mkdir "$place/loop"
  "${pinned[@]}" "$work/loop" "$1" "$place/loop" "$count" | awk -v n="$count" '{printf "%.1f\n", $1/n}'
  rm -r "$place/loop"
}

# experiment [RECORDER…]: the lab in the same directory, alone or under a recorder; prints its CSV.
experiment() {
  "$@" "${pinned[@]}" "$whyslow" lab create --dir "$place" --count "$count" --format csv 2>/dev/null
}

# others LABEL COMMAND…: prints files per second, which the command's output ends with.
others() {
  local label=$1; shift
  mkdir "$place/other"
  printf '%-34s %12s\n' "$label" "$("$@" 2>/dev/null || echo failed)"
  rm -r "$place/other"
}
filecreate() {
  "${pinned[@]}" fio --name=x --directory="$place/other" --ioengine=filecreate --filesize=4k --nrfiles="$count" \
    --file_service_type=sequential --fallocate=none --thread --output-format=json | awk -F'[:,]' '/"iops" /{printf "%.0f", $2; exit}'
}
# Eight times as many files: it tells no rate of what took less than half a second.
bonnie() {
  local thousands=$((count / 128))
  "${pinned[@]}" bonnie++ -q -d "$place/other" -s 0 -n "$thousands:0:0:1" -u "$(id -un)" |
    awk -F, -v n="$thousands" '{for(i=1;i<NF;i++) if($i==n && $(i+5)!="") {print $(i+5); exit}}'
}
smallfile() {
  "${pinned[@]}" python3 "$SMALLFILE/smallfile_cli.py" --top "$place/other" --threads 1 --files "$count" --file-size 0 --operation create |
    awk '/files\/sec/{print $NF}'
}

[ $# -gt 0 ] || set -- /dev/shm .
for dir in "$@"; do
  place=$(mktemp -d "$dir/lab-bench-XXXXXX")
  made+=("$place")
  echo "$dir ($(stat -f -c %T "$dir")), $count files, $rounds turns"
  rm -f "$work"/*.ns
  for _ in $(seq "$rounds"); do
    plain=$(turn plain); timed=$(turn timed); empty=$(turn empty)
    said=$(experiment)
    # As --record does it, but that the recorder has the other CPUs for itself.
    recorded=$(experiment "$whyslow" record -o "$work/machine.data" --) || recorded=
    rm -f "$work/machine.data"
    median=$(value "$said" median_ns 2); slowed=$(value "$recorded" median_ns 2)
    [ -z "$slowed" ] || awk "BEGIN{print $slowed/$median}" >>"$work/ratio-median.ns"
    [ -z "$slowed" ] || value "$recorded" total_ns 2 | awk -v alone="$(value "$said" total_ns 2)" '{print $1/alone}' >>"$work/ratio-total.ns"
    lab=$(value "$said" total_ns 2 | awk -v n="$count" '{printf "%.1f", $1/n}')
    own=$(value "$said" own_ns 2)
    for name in plain timed empty lab own; do echo "${!name}" >>"$work/$name.ns"; done
    awk "BEGIN{print $lab/$plain}" >>"$work/ratio.ns"
    awk "BEGIN{print $lab/$timed}" >>"$work/ratio-timed.ns"
    awk "BEGIN{print $own-$empty}" >>"$work/beyond.ns"
  done
  of() { median <"$work/$1.ns"; }
  printf '%-34s %9.0f ns per file\n' 'C loop' "$(of plain)" 'C loop, every file timed' "$(of timed)" 'whyslow lab' "$(of lab)"
  printf '%-34s %9.3f\n' 'whyslow over C loop' "$(of ratio)" 'whyslow over C loop, timed' "$(of ratio-timed)"
  [ ! -e "$work/ratio-median.ns" ] || printf '%-34s %9.3f\n' 'recorded over not, medians' "$(of ratio-median)" \
    'recorded over not, all operations' "$(of ratio-total)"
  printf '%-34s %9.0f ns\n' 'empty: reading the clock in C' "$(of empty)" 'empty: whyslow' "$(of own)" \
    'empty: whyslow beyond the clock' "$(of beyond)"
  ! command -v fio >/dev/null || others 'fio filecreate, files/s' filecreate
  ! command -v bonnie++ >/dev/null || others 'bonnie++, files/s' bonnie
  [ -z "${SMALLFILE:-}" ] || others 'smallfile, files/s' smallfile
  printf '%-34s %12.0f\n' 'whyslow lab, files/s' "$(awk "BEGIN{print 1e9/$(of lab)}")"
done
